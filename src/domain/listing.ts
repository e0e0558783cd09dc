import { nameKey, type Product } from './product.ts';
import { filteredProduct, type ProductFilters, productFilter } from './product-filters.ts';

export interface ListingQuery {
  readonly category: string;
  readonly parentCategory: string;
  readonly featured: boolean;
  readonly page: number;
  /** The parameters that sort and filter the listing, such as `sort=newest&size=M` (refine.ts). */
  readonly refined?: string | undefined;
}

export const ALL_PRODUCTS: ListingQuery = { category: '', parentCategory: '', featured: false, page: 1 };

/** refine.ts implements them. They are listed here, because not every page needs that module. */
const REFINEMENT_NAMES = ['sort', 'min', 'max', 'size', 'color', 'sale', 'stock'] as const;

export type RefinementName = (typeof REFINEMENT_NAMES)[number];

const refinementNames: readonly string[] = REFINEMENT_NAMES;

export const PAGE_SIZE = 12;
const PAGE_WINDOW = 2;

/** A small `tidyText` for the listing's first script. It keeps the invisible characters within Indian words. */
const tidy = (value: string): string =>
  value
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A small `toAsciiDigits`, for the same reason: the digits of each script are a row of ten. */
const asciiOf = (digit: string): string => {
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - value - 1))) value += 1;
  return String(value % 10);
};

/** Ignores the case of names, and blanks and invisible marks around values, because people type and paste addresses. */
export function parseListingQuery(search: URLSearchParams): ListingQuery {
  const values = [...search].map(([name, value]) => [name.toLowerCase(), tidy(value)]);
  const first = (wanted: string): string => values.find(([name]) => name === wanted)?.[1] ?? '';
  const page = Number(first('page').replace(/\p{Nd}/gu, asciiOf));
  return {
    category: first('category'),
    parentCategory: first('parentcategory'),
    featured: first('featured').toLowerCase() === 'true',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    refined:
      new URLSearchParams(
        values.filter(([name = '', value]) => refinementNames.includes(name) && value),
      ).toString() || undefined,
  };
}

/** Returns the query string with its `?`, or '' for all products. */
export function listingSearch({ category, parentCategory, featured, page, refined }: ListingQuery): string {
  const search = new URLSearchParams();
  if (category) search.set('category', category);
  if (parentCategory) search.set('parentCategory', parentCategory);
  if (featured) search.set('featured', 'true');
  if (page > 1) search.set('page', String(page));
  const text = [search.toString(), refined].filter(Boolean).join('&');
  return text ? `?${text}` : '';
}

/** Categories that the API filters by other parameters than `category`. */
const CATEGORY_FILTERS: ReadonlyMap<string, ProductFilters> = new Map([
  ['men', { gender: 'Men' }],
  ['women', { gender: 'Women' }],
  ['accessories', { filter: 'Accessories,Personal Care,Home,null,Unisex' }],
]);

/** Separate from CATEGORY_FILTERS, because the listing page's first script needs only the headings. */
const CATEGORY_HEADINGS: ReadonlyMap<string, string> = new Map([
  ['men', "Men's Ethnic Wear"],
  ['women', "Women's Ethnic Wear"],
]);

export function filterParams({ category, parentCategory }: ListingQuery): ProductFilters {
  return {
    ...(category ? (CATEGORY_FILTERS.get(category.toLowerCase()) ?? { category }) : {}),
    ...(parentCategory ? { parentCategory } : {}),
  };
}

/** @param categoryNames the categories in the store's spelling */
export function listingHeading(query: ListingQuery, categoryNames: readonly string[]): string {
  const name = query.parentCategory || query.category;
  if (name === '') return 'All Products';
  const key = nameKey(name);
  return (
    (query.parentCategory ? undefined : CATEGORY_HEADINGS.get(key)) ??
    categoryNames.find((candidate) => nameKey(candidate) === key) ??
    name.charAt(0).toUpperCase() + name.slice(1)
  );
}

/** Filters products as the API would for the query. */
export function listedProducts(products: readonly Product[], query: ListingQuery): Product[] {
  const passes = productFilter(filterParams(query));
  return products.filter(
    (product) => (!query.featured || product.featured) && passes(filteredProduct(product)),
  );
}

export const pageCount = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

export type PaginationItem = number | 'ellipsis';

/** Returns the first, the last, and two pages on each side of the current one, with an ellipsis for each gap. */
export function paginationItems(current: number, pages: number): PaginationItem[] {
  const items: PaginationItem[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const shown = page === 1 || page === pages || Math.abs(page - current) <= PAGE_WINDOW;
    if (shown) items.push(page);
    else if (items.at(-1) !== 'ellipsis') items.push('ellipsis');
  }
  return items;
}

/** 'Showing 1–12 of 43', or '' if nothing is shown. */
export function showingText(page: number, shown: number, total: number): string {
  const first = (page - 1) * PAGE_SIZE + 1;
  return shown === 0 ? '' : `Showing ${first}–${first + shown - 1} of ${total}`;
}

/** Returns the distinct parent categories (ignoring case) in the order of the catalogue. */
export function parentCategories(products: readonly Pick<Product, 'parentCategory'>[]): string[] {
  const names = new Map<string, string>();
  for (const { parentCategory } of products) {
    const key = nameKey(parentCategory);
    if (parentCategory && !names.has(key)) names.set(key, parentCategory);
  }
  return [...names.values()];
}

const SHOWN_LIMIT = 30;
const SHOWN_NAME_LENGTH = 60;

/** The parent categories that a page lists as filters. The limits bound the page's size. */
export const parentFilters = (products: readonly Pick<Product, 'parentCategory'>[]): string[] =>
  parentCategories(products)
    .filter((name) => name.length <= SHOWN_NAME_LENGTH)
    .slice(0, SHOWN_LIMIT);

export const FEATURED_LIMIT = 4;

/** Returns the API's first four products, the featured ones first, for the home page. */
export function featuredFirst<T extends Pick<Product, 'featured'>>(products: readonly T[]): T[] {
  const firstFour = products.slice(0, FEATURED_LIMIT);
  return [...firstFour.filter(({ featured }) => featured), ...firstFour.filter(({ featured }) => !featured)];
}
