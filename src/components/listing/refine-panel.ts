import { parseListingQuery } from '#domain/listing.ts';
import { compareSizes, parseRefinement, type Refinement, refine, SORTS } from '#domain/refine.ts';
import { knownFragmentsOfPage } from './address.ts';
import { choices, prices } from './refine-fields.ts';
import css from './refine-panel.css?inline';
import { type Table, tableOf } from './refined.ts';

/** Loaded when the button is pressed: the panel, its styles and the table of the listing. */

const SHOWN_AT_MOST = 24;

const query = parseListingQuery(new URLSearchParams(location.search));

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

/** The commonest first; what is chosen stays offered. */
function offered(
  table: Readonly<Record<string, readonly number[]>>,
  chosen: readonly string[],
): [value: string, count: number][] {
  const all = Object.entries(table).map(([value, rows]): [string, number] => [value, rows.length]);
  return all
    .sort(([, a], [, b]) => b - a)
    .filter(([value], index) => index < SHOWN_AT_MOST || chosen.includes(value));
}

/** The address that the form's fields make, without those that say nothing. */
function addressOf(form: HTMLFormElement): URL {
  const { category, parentCategory, featured } = query;
  const address = new URL(location.pathname, location.origin);
  const filters = { category, parentCategory, featured: featured ? 'true' : '' };
  for (const [name, value] of [...Object.entries(filters), ...new FormData(form)]) {
    if (value !== '' && !(name === 'sort' && value === 'featured')) {
      address.searchParams.append(name, String(value));
    }
  }
  return address;
}

function fields({ facets }: Table, now: Refinement): HTMLElement[] {
  const sale = facets.was.filter((was) => was > 0).length;
  const sizes = offered(facets.sizes, now.sizes).sort(([a], [b]) => compareSizes(a, b));
  return [
    prices(facets.price, now),
    ...(sale > 0 ? [choices('Offers', 'sale', [['true', sale, 'On sale']], now.sale ? ['true'] : [])] : []),
    choices('Size', 'size', sizes, now.sizes),
    choices('Colour', 'color', offered(facets.colors, now.colors), now.colors),
  ];
}

const NOTES = {
  unknown: 'This list cannot be sorted.',
  none: 'The filters could not be loaded. Please try again.',
  'too-long': 'This list is too long to sort. Choose a category first.',
} as const;

function makePanel(table: Table | undefined, note: string | undefined): HTMLDialogElement {
  const now = parseRefinement(new URLSearchParams(query.refined));
  const close = element('button', 'refine-close', 'Close');
  close.type = 'button';
  const title = element('h2', '', 'Sort and filter');
  title.id = 'refine-title';
  const sorts = Object.entries(SORTS).map(([value, name]): [string, undefined, string] => [
    value,
    undefined,
    name,
  ]);
  const body = element(
    'div',
    'refine-body',
    ...(table
      ? [choices('Sort by', 'sort', sorts, [now.sort], 'radio'), ...fields(table, now)]
      : [element('p', 'refine-note', note ?? '')]),
  );
  const clear = element('button', 'btn btn-outline', 'Clear');
  clear.type = 'button';
  const show = element('button', 'btn', 'Show products');
  const form = element(
    'form',
    '',
    element('div', 'refine-head', title, close),
    body,
    element('div', 'refine-foot', clear, show),
  );
  const panel = element('dialog', 'refine-panel', form);
  panel.setAttribute('aria-labelledby', title.id);
  const count = (): void => {
    if (!table) return;
    const wanted = parseRefinement(addressOf(form).searchParams);
    const { length } = refine(table.facets, wanted, table.within);
    show.textContent = `Show ${length} ${length === 1 ? 'product' : 'products'}`;
  };
  const leave = (): void => panel.close();
  close.addEventListener('click', leave);
  clear.addEventListener('click', () => {
    for (const input of form.querySelectorAll('input')) {
      input.checked = input.value === 'featured';
      if (input.inputMode) input.value = '';
    }
    count();
  });
  panel.addEventListener('click', ({ target }) => {
    if (target === panel) leave();
  });
  form.addEventListener('input', count);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const address = addressOf(form);
    leave();
    if (table && address.href !== location.href) location.assign(address);
  });
  count();
  return panel;
}

let opening: Promise<HTMLDialogElement> | undefined;

async function make(): Promise<HTMLDialogElement> {
  const table = await tableOf(query, knownFragmentsOfPage());
  const panel =
    typeof table === 'object' ? makePanel(table, undefined) : makePanel(undefined, NOTES[table ?? 'none']);
  // Another try asks again.
  if (table === undefined) opening = undefined;
  if (!document.querySelector('.refine-panel')) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }
  document.querySelector('.refine-panel')?.remove();
  document.body.append(panel);
  return panel;
}

export async function openPanel(): Promise<void> {
  opening ??= make();
  const panel = await opening;
  if (!panel.open) panel.showModal();
}
