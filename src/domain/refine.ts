import { foldText } from './fold-text.ts';
import type { RefinementName } from './listing.ts';
import type { Paise } from './money.ts';
import { readRupees } from './rupees-input.ts';

/* Sorts and filters a listing by its filter index, which the build makes (listing-data.ts). */

/** Larger listings have no filter index, because it must stay small on a slow connection. */
export const REFINED_LIMIT = 5_000;

export const SORTS = {
  featured: 'Featured',
  'price-asc': 'Price: low to high',
  'price-desc': 'Price: high to low',
  newest: 'Newest',
  discount: 'Discount',
} as const;

export type Sort = keyof typeof SORTS;

export type FilterName = Exclude<RefinementName, 'sort'>;

export type RowsByValue = Readonly<Record<string, readonly number[]>>;

/** The products of a listing as columns. A row is a product, in the order of the listing. */
export interface FilterIndex {
  /** The index of the product in the whole catalogue, from 0. */
  readonly at: readonly number[];
  /** 0 for a product without a price. */
  readonly price: readonly Paise[];
  /** The regular price of a product on sale, otherwise 0. */
  readonly was: readonly Paise[];
  /** When the product was added, in days since 1970, or 0 if unknown. */
  readonly day: readonly number[];
  /** The rows of products that cannot be bought. */
  readonly out: readonly number[];
  readonly sizes: RowsByValue;
  readonly colors: RowsByValue;
}

const COLUMNS: Readonly<Record<keyof FilterIndex, true>> = {
  at: true,
  price: true,
  was: true,
  day: true,
  out: true,
  sizes: true,
  colors: true,
};

/** Whether a fetched file is a filter index of this release: it has every column. */
export const isFilterIndex = (value: unknown): value is FilterIndex =>
  typeof value === 'object' && value !== null && Object.keys(COLUMNS).every((name) => name in value);

const LETTER_SIZES: readonly string[] = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL'];

const rankOf = (size: string): number => {
  if (size === 'One Size') return LETTER_SIZES.length + 1;
  const rank = LETTER_SIZES.indexOf(size.toUpperCase());
  return rank < 0 ? LETTER_SIZES.length : rank;
};

/** S before M, UK 9 before UK 10. */
export const compareSizes = (a: string, b: string): number =>
  rankOf(a) - rankOf(b) || a.localeCompare(b, 'en', { numeric: true });

type Filter = (filterIndex: FilterIndex, texts: readonly string[]) => (row: number) => boolean;

const priceOf = ({ price }: FilterIndex, row: number): number => (price[row] ?? 0) / 100;

function withValue(table: RowsByValue, values: readonly string[]): ReturnType<Filter> {
  const rows = new Set(values.flatMap((value) => (Object.hasOwn(table, value) ? (table[value] ?? []) : [])));
  return (row) => rows.has(row);
}

/**
 * The filters. A new one is a name in listing.ts, a line here, its control in refine-panel.ts, and a column of
 * `FilterIndex` if it needs new data.
 */
const FILTERS: Readonly<Record<FilterName, Filter>> = {
  min:
    (filterIndex, [min]) =>
    (row) =>
      priceOf(filterIndex, row) >= Number(min),
  max:
    (filterIndex, [max]) =>
    (row) =>
      priceOf(filterIndex, row) > 0 && priceOf(filterIndex, row) <= Number(max),
  size: ({ sizes }, texts) => withValue(sizes, texts),
  color: ({ colors }, texts) => withValue(colors, texts),
  sale:
    ({ was }) =>
    (row) =>
      (was[row] ?? 0) > 0,
  stock({ out }) {
    const rows = new Set(out);
    return (row) => !rows.has(row);
  },
};

const isSort = (text: string | null): text is Sort => text !== null && Object.hasOwn(SORTS, text);

export function sortOf(search: URLSearchParams): Sort {
  const sort = search.get('sort')?.toLowerCase() ?? null;
  return isSort(sort) ? sort : 'featured';
}

/**
 * Returns values in the spelling of the catalogue. An unknown value may be a list, such as 'red,blue'. Other unknown
 * values stay, so that they match nothing.
 */
function spellings(table: RowsByValue, values: readonly string[]): string[] {
  const known = new Map(Object.keys(table).map((value) => [foldText(value), value]));
  const parts = values.flatMap((value) => (known.has(foldText(value)) ? [value] : value.split(/[,;|،、，]/)));
  const filled = parts.filter((value) => foldText(value) !== '');
  return [...new Set(filled.map((value) => known.get(foldText(value)) ?? value))];
}

const priceText = (price: number | undefined): string[] => (price === undefined ? [] : [String(price)]);

const switchedOn = (search: URLSearchParams, name: string): string[] =>
  search.get(name)?.toLowerCase() === 'true' ? ['true'] : [];

/**
 * Returns the parameters as `refine` reads them: prices as plain numbers, the lower first, values in the spelling of the
 * catalogue. Leaves out what cannot be read.
 */
export function readRefinement({ sizes, colors }: FilterIndex, search: URLSearchParams): URLSearchParams {
  const sort = sortOf(search);
  let [min, max] = [readRupees(search.get('min') ?? ''), readRupees(search.get('max') ?? '')];
  if (min !== undefined && max !== undefined && min > max) [min, max] = [max, min];
  const values: Readonly<Record<RefinementName, readonly string[]>> = {
    sort: sort === 'featured' ? [] : [sort],
    min: priceText(min),
    max: priceText(max),
    sale: switchedOn(search, 'sale'),
    stock: switchedOn(search, 'stock'),
    size: spellings(sizes, search.getAll('size')),
    color: spellings(colors, search.getAll('color')),
  };
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, texts]) => texts.map((value) => [name, value])),
  );
}

/** Compare two rows. Equal rows stay in the order of the listing. */
const ORDERS: Readonly<Record<Sort, (filterIndex: FilterIndex, a: number, b: number) => number>> = {
  featured: () => 0,
  // A product without a price comes last in both directions.
  'price-asc': ({ price }, a, b) => (price[a] || Number.MAX_VALUE) - (price[b] || Number.MAX_VALUE),
  'price-desc': ({ price }, a, b) => (price[b] ?? 0) - (price[a] ?? 0),
  newest: ({ day }, a, b) => (day[b] ?? 0) - (day[a] ?? 0),
  discount: (filterIndex, a, b) => saving(filterIndex, b) - saving(filterIndex, a),
};

function saving({ price, was }: FilterIndex, row: number): number {
  const regular = was[row] ?? 0;
  return regular === 0 ? 0 : 1 - (price[row] ?? 0) / regular;
}

/**
 * Returns the matching rows, sorted.
 * @param within the catalogue indexes of the products that pass another filter, if there is one
 */
export function refine(
  filterIndex: FilterIndex,
  given: URLSearchParams,
  within?: ReadonlySet<number>,
): number[] {
  const search = readRefinement(filterIndex, given);
  const tests = Object.entries(FILTERS).flatMap(([name, filter]) => {
    const texts = search.getAll(name);
    return texts.length > 0 ? [filter(filterIndex, texts)] : [];
  });
  const order = ORDERS[sortOf(search)];
  return filterIndex.at
    .map((_, row) => row)
    .filter((row) => tests.every((test) => test(row)) && (within?.has(filterIndex.at[row] ?? -1) ?? true))
    .sort((a, b) => order(filterIndex, a, b) || a - b);
}
