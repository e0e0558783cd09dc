import { addStyles, element } from '#components/markup.ts';
import * as CURRENCY from '#domain/currency.ts';
import { listingSearch } from '#domain/listing.ts';
import { formatPaise } from '#domain/money.ts';
import {
  compareSizes,
  type FilterIndex,
  type FilterName,
  readRefinement,
  refine,
  SORTS,
  sortOf,
} from '#domain/refine.ts';
import { readRupees } from '#domain/rupees-input.ts';
import { tidyText } from '#domain/text.ts';
import { readListing, readPageListingDataIndex } from './address.ts';
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

type Choice = readonly [value: string, count: number | undefined, name?: string];

function choice(field: string, type: string, [value, count, name]: Choice, checked: boolean): HTMLElement {
  return element(
    'label',
    { class: 'refine-choice' },
    element('input', { type, name: field, value, checked }),
    name ?? value,
    count !== undefined && element('span', { class: 'refine-count' }, String(count)),
  );
}

const fieldset = (heading: string, content: HTMLElement): HTMLFieldSetElement =>
  element('fieldset', {}, element('legend', {}, heading), content);

function choices(
  heading: string,
  field: string,
  values: readonly Choice[],
  chosen: readonly string[],
  type = 'checkbox',
): HTMLElement {
  const labels = values.map((value) => choice(field, type, value, chosen.includes(value[0])));
  const group = fieldset(heading, element('div', { class: 'refine-options' }, ...labels));
  group.hidden = values.length === 0;
  return group;
}

const PRICE_WRONG = 'Type an amount such as 500 or 1,299';

/** What cannot be read as an amount is an error of the field, and the form is not sent. */
function priceField(name: string, label: string, value: string | null, hint: number): HTMLElement {
  const errorId = `refine-${name}-error`;
  const input = element('input', {
    name,
    inputmode: 'decimal',
    autocomplete: 'off',
    value: value ?? '',
    placeholder: formatPaise(hint),
    'aria-describedby': errorId,
  });
  const error = element('span', { class: 'refine-error', id: errorId, role: 'alert' });
  input.addEventListener('input', () => {
    const isWrong = tidyText(input.value) !== '' && readRupees(input.value) === undefined;
    input.setAttribute('aria-invalid', String(isWrong));
    error.textContent = isWrong ? PRICE_WRONG : '';
  });
  return element('div', {}, element('label', {}, label, input), error);
}

/** Two fields in rupees. Their placeholders show the price range of the listing. */
function prices(paise: readonly number[], current: URLSearchParams): HTMLElement {
  const known = paise.filter((price) => price > 0);
  const lowest = known.reduce((a, b) => Math.min(a, b), known[0] ?? 0);
  const highest = known.reduce((a, b) => Math.max(a, b), 0);
  const row = element(
    'div',
    { class: 'refine-prices' },
    priceField('min', `From ${CURRENCY.symbol}`, current.get('min'), lowest),
    priceField('max', `To ${CURRENCY.symbol}`, current.get('max'), highest),
  );
  return fieldset('Price', row);
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

function makePanel(found: Awaited<ReturnType<typeof queryIndexOf>>): HTMLDialogElement {
  const queryIndex = typeof found === 'object' ? found : undefined;
  const given = new URLSearchParams(query.refined);
  const current = queryIndex ? readRefinement(queryIndex.filterIndex, given) : given;
  const close = element('button', { class: 'refine-close', type: 'button' }, 'Close');
  const title = element('h2', { id: 'refine-title' }, 'Sort and filter');
  const sorts = Object.entries(SORTS).map(([value, name]): Choice => [value, undefined, name]);
  const body = element(
    'div',
    { class: 'refine-body' },
    ...(typeof found === 'object'
      ? [
          choices('Sort by', 'sort', sorts, [sortOf(current)], 'radio'),
          ...Object.values(CONTROLS).flatMap((render) => render(found.filterIndex, current)),
        ]
      : [element('p', { class: 'refine-note' }, NOTES[found ?? 'none'])]),
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
  const panel = makePanel(queryIndex);
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
