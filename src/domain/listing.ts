import type { Product } from './product.ts';
import { attributeValues } from './product.ts';

/** The query of /products (spec 2, product listing). */
export interface ListingQuery {
  readonly category: string;
  readonly parentCategory: string;
  readonly featured: boolean;
  readonly page: number;
  /** The part of the query that sorts and narrows (refine.ts), as it stands in an address. */
  readonly refined?: string | undefined;
}

const REFINING = new Set(['sort', 'min', 'max', 'size', 'color', 'sale']);

export const PAGE_SIZE = 12;
/** Pages shown each side of the current one (spec 2). */
const PAGE_WINDOW = 2;

export function parseListingQuery(search: URLSearchParams): ListingQuery {
  const page = Number(search.get('page') ?? '1');
  return {
    category: search.get('category')?.trim() ?? '',
    parentCategory: search.get('parentCategory')?.trim() ?? '',
    featured: search.get('featured') === 'true',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    refined:
      new URLSearchParams([...search].filter(([name, value]) => REFINING.has(name) && value)).toString() ||
      undefined,
  };
}

export function listingSearch({ category, parentCategory, featured, page, refined }: ListingQuery): string {
  const search = new URLSearchParams();
  if (category) search.set('category', category);
  if (parentCategory) search.set('parentCategory', parentCategory);
  if (featured) search.set('featured', 'true');
  if (page > 1) search.set('page', String(page));
  const text = [search.toString(), refined].filter(Boolean).join('&');
  return text ? `?${text}` : '';
}

/** Categories that go by another filter than `category` on the wire (resolutions 12). */
const CATEGORY_FILTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  men: { gender: 'Men' },
  women: { gender: 'Women' },
  accessories: { filter: 'Accessories,Personal Care,Home,null,Unisex' },
};

/** A table of its own: the page's first script needs this one alone. */
const CATEGORY_HEADINGS: Readonly<Record<string, string>> = {
  men: "Men's Ethnic Wear",
  women: "Women's Ethnic Wear",
};

function ofCategory<T>(table: Readonly<Record<string, T>>, category: string): T | undefined {
  const key = category.toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The parameters of GET /products beside page and limit (spec 7). */
export function wireFilters({ category, parentCategory }: ListingQuery): Record<string, string> {
  return {
    ...(category ? (ofCategory(CATEGORY_FILTERS, category) ?? { category }) : {}),
    ...(parentCategory ? { parentCategory } : {}),
  };
}

const same = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The page's heading; `known` is the store's own spelling of its categories (spec 2; resolutions 9, 13). */
export function listingHeading(query: ListingQuery, known: readonly string[]): string {
  const spelling = (name: string): string =>
    known.find((candidate) => same(candidate, name)) ?? capitalise(name);
  if (query.parentCategory) return spelling(query.parentCategory);
  if (query.category) return ofCategory(CATEGORY_HEADINGS, query.category) ?? spelling(query.category);
  return 'All Products';
}

const fits = (product: Product, filters: Readonly<Record<string, string>>): boolean => {
  const genders = attributeValues(product.attributes, ['gender']);
  const { category, parentCategory, gender, filter } = filters;
  const named = filter?.split(',') ?? [];
  return (
    (category === undefined || same(product.category, category)) &&
    (parentCategory === undefined || same(product.parentCategory, parentCategory)) &&
    (gender === undefined || genders.some((value) => same(value, gender))) &&
    (filter === undefined ||
      (named.some((name) => same(name, product.category) || same(name, product.parentCategory)) &&
        (genders.length === 0
          ? named.includes('null')
          : genders.some((value) => named.some((name) => same(name, value))))))
  );
};

/** What the server answers for the query, out of a catalogue that is at hand (the build's). */
export function filterProducts(products: readonly Product[], query: ListingQuery): Product[] {
  const filters = wireFilters(query);
  return products.filter((product) => (!query.featured || product.featured) && fits(product, filters));
}

export const pageCount = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

export type PaginationItem = number | 'ellipsis';

/** First, last, and two pages each side of the current one; a gap is an ellipsis (spec 2). */
export function paginationItems(current: number, pages: number): PaginationItem[] {
  const items: PaginationItem[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const shown = page === 1 || page === pages || Math.abs(page - current) <= PAGE_WINDOW;
    if (shown) items.push(page);
    else if (items.at(-1) !== 'ellipsis') items.push('ellipsis');
  }
  return items;
}

/** 'Showing 1–12 of 43'; '' where nothing shows. */
export function showingText(page: number, shown: number, total: number): string {
  const first = (page - 1) * PAGE_SIZE + 1;
  return shown === 0 ? '' : `Showing ${first}–${first + shown - 1} of ${total}`;
}

/** The first parent category of each spelling, in the order of the catalogue. */
export function parentCategories(products: readonly Pick<Product, 'parentCategory'>[]): string[] {
  const names = new Map<string, string>();
  for (const { parentCategory } of products) {
    const key = parentCategory.toLowerCase();
    if (parentCategory && !names.has(key)) names.set(key, parentCategory);
  }
  return [...names.values()];
}

const OFFERED_LIMIT = 30;
const OFFERED_LENGTH = 60;

/** Those that a page offers to filter by: thousands, or names as long as a text, would be most of it (faults 62). */
export const offeredParents = (products: readonly Pick<Product, 'parentCategory'>[]): string[] =>
  parentCategories(products)
    .filter((name) => name.length <= OFFERED_LENGTH)
    .slice(0, OFFERED_LIMIT);

export const FEATURED_LIMIT = 4;

/** The home page's four: the flagged ones among the API's first four come first (resolutions 14). */
export function featuredFirst<T extends Pick<Product, 'featured'>>(products: readonly T[]): T[] {
  const four = products.slice(0, FEATURED_LIMIT);
  return [...four.filter(({ featured }) => featured), ...four.filter(({ featured }) => !featured)];
}
