import { toPaise } from './money.ts';
import { isOnSale, type Product } from './product.ts';

/** Sorting and narrowing of a listing, by a table that the build makes of its products. */

/** A listing with more products is sorted within a category: a table must stay small on a slow line. */
export const REFINED_AT_MOST = 5_000;

export const SORTS = {
  featured: 'Featured',
  'price-asc': 'Price: low to high',
  'price-desc': 'Price: high to low',
  newest: 'Newest',
  discount: 'Discount',
} as const;

export type Sort = keyof typeof SORTS;

/** A column each, a row each product; in the order of the listing. */
export interface Facets {
  /** Where the product stands in the whole catalogue, from 0. */
  readonly at: readonly number[];
  /** In paise; 0 where there is no price. */
  readonly price: readonly number[];
  /** The regular price of what is on sale, in paise; otherwise 0. */
  readonly was: readonly number[];
  /** Days since 1970 when it came into the shop; 0 where nobody knows. */
  readonly day: readonly number[];
  /** Rows by size and by colour. */
  readonly sizes: Readonly<Record<string, readonly number[]>>;
  readonly colors: Readonly<Record<string, readonly number[]>>;
}

export interface Refinement {
  readonly sort: Sort;
  /** In rupees. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly sizes: readonly string[];
  readonly colors: readonly string[];
  readonly sale: boolean;
}

const LETTERS: readonly string[] = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL'];

const rankOf = (size: string): number => {
  if (size === 'One Size') return LETTERS.length + 1;
  const letters = LETTERS.indexOf(size.toUpperCase());
  return letters < 0 ? LETTERS.length : letters;
};

/** The order in which people look for sizes: S before M, UK 9 before UK 10. */
export const compareSizes = (a: string, b: string): number =>
  rankOf(a) - rankOf(b) || a.localeCompare(b, 'en', { numeric: true });

const DAY_MS = 86_400_000;

function rowsBy(products: readonly Product[], values: (product: Product) => readonly string[]) {
  const rows = new Map<string, number[]>();
  for (const [row, product] of products.entries()) {
    for (const value of values(product)) {
      const known = rows.get(value);
      if (known) known.push(row);
      else rows.set(value, [row]);
    }
  }
  return Object.fromEntries(rows);
}

/** @param place where each product stands in the whole catalogue */
export function facetsOf(products: readonly Product[], place: (product: Product) => number): Facets {
  return {
    at: products.map(place),
    price: products.map(({ price }) => toPaise(price)),
    was: products.map((product) => (isOnSale(product) ? toPaise(product.originalPrice ?? 0) : 0)),
    day: products.map(({ createdAt }) => Math.max(0, Math.floor(Date.parse(createdAt ?? '') / DAY_MS) || 0)),
    sizes: rowsBy(products, ({ sizes }) => sizes),
    colors: rowsBy(products, ({ colors }) => colors),
  };
}

const rupees = (text: string | null): number | undefined => {
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value >= 0 ? value : undefined;
};

const isSort = (text: string | null): text is Sort => text !== null && Object.hasOwn(SORTS, text);

export function parseRefinement(search: URLSearchParams): Refinement {
  const sort = search.get('sort');
  return {
    sort: isSort(sort) ? sort : 'featured',
    min: rupees(search.get('min')),
    max: rupees(search.get('max')),
    sizes: search.getAll('size'),
    colors: search.getAll('color'),
    sale: search.get('sale') === 'true',
  };
}

/** Less than 0 where the row `a` comes first. The order of the shop stands where neither does. */
const ORDERS: Readonly<Record<Sort, (facets: Facets, a: number, b: number) => number>> = {
  featured: () => 0,
  // What has no price stands last, whichever way prices are sorted.
  'price-asc': ({ price }, a, b) => (price[a] || Number.MAX_VALUE) - (price[b] || Number.MAX_VALUE),
  'price-desc': ({ price }, a, b) => (price[b] ?? 0) - (price[a] ?? 0),
  newest: ({ day }, a, b) => (day[b] ?? 0) - (day[a] ?? 0),
  discount: (facets, a, b) => saving(facets, b) - saving(facets, a),
};

function saving({ price, was }: Facets, row: number): number {
  const regular = was[row] ?? 0;
  return regular === 0 ? 0 : 1 - (price[row] ?? 0) / regular;
}

function rowsWith(
  table: Readonly<Record<string, readonly number[]>>,
  wanted: readonly string[],
): ReadonlySet<number> | undefined {
  if (wanted.length === 0) return undefined;
  return new Set(wanted.flatMap((value) => (Object.hasOwn(table, value) ? (table[value] ?? []) : [])));
}

/**
 * The rows that are wanted, in their order. Several sizes or colours mean any of them.
 * @param within the places of the catalogue that another filter leaves, where there is one
 */
export function refine(facets: Facets, wanted: Refinement, within?: ReadonlySet<number>): number[] {
  const sizes = rowsWith(facets.sizes, wanted.sizes);
  const colors = rowsWith(facets.colors, wanted.colors);
  const fits = (row: number): boolean => {
    const price = (facets.price[row] ?? 0) / 100;
    return (
      (wanted.min === undefined || price >= wanted.min) &&
      (wanted.max === undefined || (price > 0 && price <= wanted.max)) &&
      (!wanted.sale || (facets.was[row] ?? 0) > 0) &&
      (sizes?.has(row) ?? true) &&
      (colors?.has(row) ?? true) &&
      (within?.has(facets.at[row] ?? -1) ?? true)
    );
  };
  const order = ORDERS[wanted.sort];
  return facets.at
    .map((_, row) => row)
    .filter(fits)
    .sort((a, b) => order(facets, a, b) || a - b);
}
