import { toPaise } from './money.ts';
import { isOnSale, type Product } from './product.ts';

/* Sorts and narrows a listing by a table of its products, which the build makes. */

/**
 * The most products of a listing that has a table, because the table must stay small on a slow connection. A larger
 * listing is sorted within one of its categories.
 */
export const REFINED_LIMIT = 5_000;

export const SORTS = {
  featured: 'Featured',
  'price-asc': 'Price: low to high',
  'price-desc': 'Price: high to low',
  newest: 'Newest',
  discount: 'Discount',
} as const;

export type Sort = keyof typeof SORTS;

/** A table by columns. A row is a product, in the order of the listing. */
export interface Facets {
  /** The index of the product in the whole catalogue, from 0. */
  readonly at: readonly number[];
  /** In paise, 0 for a product without a price. */
  readonly price: readonly number[];
  /** The regular price of a product on sale, in paise, otherwise 0. */
  readonly was: readonly number[];
  /** The day on which the product was added, in days since 1970, or 0 if that is unknown. */
  readonly day: readonly number[];
  /** The rows that have each size and each colour. */
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

const LETTER_SIZES: readonly string[] = ['XXS', 'XS', 'S', 'M', 'L', 'XL', 'XXL', 'XXXL'];

const rankOf = (size: string): number => {
  if (size === 'One Size') return LETTER_SIZES.length + 1;
  const rank = LETTER_SIZES.indexOf(size.toUpperCase());
  return rank < 0 ? LETTER_SIZES.length : rank;
};

/** Sorts sizes as people expect it: S before M, UK 9 before UK 10. */
export const compareSizes = (a: string, b: string): number =>
  rankOf(a) - rankOf(b) || a.localeCompare(b, 'en', { numeric: true });

const DAY_MS = 86_400_000;

function rowsBy(products: readonly Product[], values: (product: Product) => readonly string[]) {
  const rows = new Map<string, number[]>();
  for (const [row, product] of products.entries()) {
    for (const value of values(product)) {
      const sameValue = rows.get(value);
      if (sameValue) sameValue.push(row);
      else rows.set(value, [row]);
    }
  }
  return Object.fromEntries(rows);
}

/** @param place the index of a product in the whole catalogue */
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

/** Compares two rows. When neither comes first, the order of the listing stays. */
const ORDERS: Readonly<Record<Sort, (facets: Facets, a: number, b: number) => number>> = {
  featured: () => 0,
  // A product without a price comes last in both directions.
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
  values: readonly string[],
): ReadonlySet<number> | undefined {
  if (values.length === 0) return undefined;
  return new Set(values.flatMap((value) => (Object.hasOwn(table, value) ? (table[value] ?? []) : [])));
}

/**
 * The rows that fit the refinement, sorted. Of several sizes or colours a product needs one.
 * @param within the catalogue indexes of the products that pass another filter, if there is one
 */
export function refine(facets: Facets, refinement: Refinement, within?: ReadonlySet<number>): number[] {
  const sizes = rowsWith(facets.sizes, refinement.sizes);
  const colors = rowsWith(facets.colors, refinement.colors);
  const fits = (row: number): boolean => {
    const price = (facets.price[row] ?? 0) / 100;
    return (
      (refinement.min === undefined || price >= refinement.min) &&
      (refinement.max === undefined || (price > 0 && price <= refinement.max)) &&
      (!refinement.sale || (facets.was[row] ?? 0) > 0) &&
      (sizes?.has(row) ?? true) &&
      (colors?.has(row) ?? true) &&
      (within?.has(facets.at[row] ?? -1) ?? true)
    );
  };
  const order = ORDERS[refinement.sort];
  return facets.at
    .map((_, row) => row)
    .filter(fits)
    .sort((a, b) => order(facets, a, b) || a - b);
}
