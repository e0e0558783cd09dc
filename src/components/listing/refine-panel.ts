import { addStyles, element } from '#components/markup.ts';
import { listingSearch } from '#domain/listing.ts';
import {
  compareSizes,
  type FilterIndex,
  type FilterName,
  readRefinement,
  refine,
  SORTS,
  sortOf,
} from '#domain/refine.ts';
import { readListing, readPageListingDataIndex } from './address.ts';
import { choices, prices } from './refine-fields.ts';
import css from './refine-panel.css?inline';
import { type QueryIndex, queryIndexOf } from './refined.ts';

/* The panel for sorting and filtering. Loaded when its button is pressed. */

const SHOWN_LIMIT = 24;

const { query } = readListing(location.search, readPageListingDataIndex());

/** Returns the most frequent values first, and always the chosen ones. */
function shownValues(
  rowsByValue: Readonly<Record<string, readonly number[]>>,
  chosen: readonly string[],
): [value: string, count: number][] {
  const all = Object.entries(rowsByValue).map(([value, rows]): [string, number] => [value, rows.length]);
  return all
    .sort(([, a], [, b]) => b - a)
    .filter(([value], index) => index < SHOWN_LIMIT || chosen.includes(value));
}

function refinementOf(form: HTMLFormElement, { filterIndex }: QueryIndex): URLSearchParams {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return readRefinement(filterIndex, new URLSearchParams(fields));
}

/** The controls of each parameter, in order. `min` has both prices. */
const CONTROLS: Readonly<
  Record<Exclude<FilterName, 'max'>, (filterIndex: FilterIndex, current: URLSearchParams) => HTMLElement[]>
> = {
  min: ({ price }, current) => [prices(price, current)],
  stock({ at, out }, current) {
    const count = at.length - out.length;
    const choice = [['true', count, 'In stock']] as const;
    return out.length > 0 ? [choices('Availability', 'stock', choice, current.getAll('stock'))] : [];
  },
  sale({ was }, current) {
    const count = was.filter((price) => price > 0).length;
    return count > 0 ? [choices('Offers', 'sale', [['true', count, 'On sale']], current.getAll('sale'))] : [];
  },
  size({ sizes }, current) {
    const chosen = current.getAll('size');
    const shown = shownValues(sizes, chosen).sort(([a], [b]) => compareSizes(a, b));
    return [choices('Size', 'size', shown, chosen)];
  },
  color({ colors }, current) {
    const chosen = current.getAll('color');
    return [choices('Colour', 'color', shownValues(colors, chosen), chosen)];
  },
};

const NOTES = {
  unknown: 'This list cannot be sorted.',
  none: 'The filters could not be loaded. Please try again.',
  'too-long': 'This list is too long to sort. Choose a category first.',
} as const;

function makePanel(queryIndex: QueryIndex | undefined, note: string | undefined): HTMLDialogElement {
  const given = new URLSearchParams(query.refined);
  const current = queryIndex ? readRefinement(queryIndex.filterIndex, given) : given;
  const close = element('button', { class: 'refine-close', type: 'button' }, 'Close');
  const title = element('h2', { id: 'refine-title' }, 'Sort and filter');
  const sorts = Object.entries(SORTS).map(([value, name]): [string, undefined, string] => [
    value,
    undefined,
    name,
  ]);
  const body = element(
    'div',
    { class: 'refine-body' },
    ...(queryIndex
      ? [
          choices('Sort by', 'sort', sorts, [sortOf(current)], 'radio'),
          ...Object.values(CONTROLS).flatMap((render) => render(queryIndex.filterIndex, current)),
        ]
      : [element('p', { class: 'refine-note' }, note ?? '')]),
  );
  const clear = element('button', { class: 'btn btn-outline', type: 'button' }, 'Clear');
  const show = element('button', { class: 'btn' }, 'Show products');
  const form = element(
    'form',
    {},
    element('div', { class: 'refine-head' }, title, close),
    body,
    element('div', { class: 'refine-foot' }, clear, show),
  );
  const panel = element('dialog', { class: 'refine-panel', 'aria-labelledby': title.id }, form);
  const updateCount = (): void => {
    if (!queryIndex) return;
    const { length } = refine(queryIndex.filterIndex, refinementOf(form, queryIndex), queryIndex.within);
    show.textContent = `Show ${length} ${length === 1 ? 'product' : 'products'}`;
  };
  const closePanel = (): void => panel.close();
  close.addEventListener('click', closePanel);
  clear.addEventListener('click', () => {
    for (const input of form.querySelectorAll('input')) {
      input.checked = input.value === 'featured';
      if (!input.inputMode) continue;
      input.value = '';
      input.dispatchEvent(new Event('input'));
    }
    updateCount();
  });
  panel.addEventListener('click', ({ target }) => {
    if (target === panel) closePanel();
  });
  form.addEventListener('input', updateCount);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const wrong = form.querySelector<HTMLElement>('[aria-invalid=true]');
    if (wrong) return wrong.focus();
    closePanel();
    if (!queryIndex) return;
    const refined = refinementOf(form, queryIndex).toString();
    const address = location.pathname + listingSearch({ ...query, page: 1, refined });
    if (address !== location.pathname + location.search) location.assign(address);
  });
  updateCount();
  return panel;
}

let opening: Promise<HTMLDialogElement> | undefined;

async function loadPanel(): Promise<HTMLDialogElement> {
  const queryIndex = await queryIndexOf(query, readPageListingDataIndex());
  const panel =
    typeof queryIndex === 'object'
      ? makePanel(queryIndex, undefined)
      : makePanel(undefined, NOTES[queryIndex ?? 'none']);
  // The next press of the button tries again.
  if (queryIndex === undefined) opening = undefined;
  if (!document.querySelector('.refine-panel')) addStyles(css);
  document.querySelector('.refine-panel')?.remove();
  document.body.append(panel);
  return panel;
}

export async function openPanel(): Promise<void> {
  opening ??= loadPanel();
  const panel = await opening;
  if (!panel.open) panel.showModal();
}
