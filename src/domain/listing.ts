import type { Product } from './product.ts';
import { filteredProduct, type ProductFilters, productFilter } from './product-filters.ts';

/** The query of /products. */
export interface ListingQuery {
  readonly category: string;
  readonly parentCategory: string;
  readonly featured: boolean;
  readonly page: number;
  /** The parameters that sort and narrow the listing, such as `sort=newest&size=M` (refine.ts). */
  readonly refined?: string | undefined;
}

/** The parameters that sort and narrow a listing. What they do stands in refine.ts, which not every page needs. */
const REFINEMENT_NAMES = ['sort', 'min', 'max', 'size', 'color', 'sale'] as const;

export type RefinementName = (typeof REFINEMENT_NAMES)[number];

const refinementNames: ReadonlySet<string> = new Set(REFINEMENT_NAMES);

export const PAGE_SIZE = 12;
/** The number of pages shown on each side of the current one. */
const PAGE_WINDOW = 2;

export function parseListingQuery(search: URLSearchParams): ListingQuery {
  const page = Number(search.get('page') ?? '1');
  return {
    category: search.get('category')?.trim() ?? '',
    parentCategory: search.get('parentCategory')?.trim() ?? '',
    featured: search.get('featured') === 'true',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    refined:
      new URLSearchParams(
        [...search].filter(([name, value]) => refinementNames.has(name) && value),
      ).toString() || undefined,
  };
}

/** The query string of a listing's address, with its `?`, or '' for all products. */
export function listingSearch({ category, parentCategory, featured, page, refined }: ListingQuery): string {
  const search = new URLSearchParams();
  if (category) search.set('category', category);
  if (parentCategory) search.set('parentCategory', parentCategory);
  if (featured) search.set('featured', 'true');
  if (page > 1) search.set('page', String(page));
  const text = [search.toString(), refined].filter(Boolean).join('&');
  return text ? `?${text}` : '';
}

/** Categories for which the API takes other parameters than `category`. */
const CATEGORY_FILTERS: Readonly<Record<string, ProductFilters>> = {
  men: { gender: 'Men' },
  women: { gender: 'Women' },
  accessories: { filter: 'Accessories,Personal Care,Home,null,Unisex' },
};

/** Not part of CATEGORY_FILTERS, because the first script of the listing page needs only the headings. */
const CATEGORY_HEADINGS: Readonly<Record<string, string>> = {
  men: "Men's Ethnic Wear",
  women: "Women's Ethnic Wear",
};

function ofCategory<T>(table: Readonly<Record<string, T>>, category: string): T | undefined {
  const key = category.toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The parameters of GET /products except page and limit. */
export function filterParams({ category, parentCategory }: ListingQuery): ProductFilters {
  return {
    ...(category ? (ofCategory(CATEGORY_FILTERS, category) ?? { category }) : {}),
    ...(parentCategory ? { parentCategory } : {}),
  };
}

const same = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The heading of the listing.
 * @param categoryNames the categories in the spelling of the store
 */
export function listingHeading(query: ListingQuery, categoryNames: readonly string[]): string {
  const spelling = (name: string): string =>
    categoryNames.find((candidate) => same(candidate, name)) ?? capitalise(name);
  if (query.parentCategory) return spelling(query.parentCategory);
  if (query.category) return ofCategory(CATEGORY_HEADINGS, query.category) ?? spelling(query.category);
  return 'All Products';
}

/** Filters the products of the build as the API would filter them for the query. */
export function filterProducts(products: readonly Product[], query: ListingQuery): Product[] {
  const passes = productFilter(filterParams(query));
  return products.filter(
    (product) => (!query.featured || product.featured) && passes(filteredProduct(product)),
  );
}

export const pageCount = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

export type PaginationItem = number | 'ellipsis';

/** The first, the last, and two pages on each side of the current one. A gap becomes an ellipsis. */
export function paginationItems(current: number, pages: number): PaginationItem[] {
  const items: PaginationItem[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const shown = page === 1 || page === pages || Math.abs(page - current) <= PAGE_WINDOW;
    if (shown) items.push(page);
    else if (items.at(-1) !== 'ellipsis') items.push('ellipsis');
  }
  return items;
}

/** Such as 'Showing 1–12 of 43', or '' when nothing is shown. */
export function showingText(page: number, shown: number, total: number): string {
  const first = (page - 1) * PAGE_SIZE + 1;
  return shown === 0 ? '' : `Showing ${first}–${first + shown - 1} of ${total}`;
}

/** The parent categories without repeats, compared without case, in the order of the catalogue. */
export function parentCategories(products: readonly Pick<Product, 'parentCategory'>[]): string[] {
  const names = new Map<string, string>();
  for (const { parentCategory } of products) {
    const key = parentCategory.toLowerCase();
    if (parentCategory && !names.has(key)) names.set(key, parentCategory);
  }
  return [...names.values()];
}

const OFFERED_LIMIT = 30;
const OFFERED_NAME_LENGTH = 60;

/** The parent categories that a page offers to choose from. Limits keep the page small. */
export const offeredParents = (products: readonly Pick<Product, 'parentCategory'>[]): string[] =>
  parentCategories(products)
    .filter((name) => name.length <= OFFERED_NAME_LENGTH)
    .slice(0, OFFERED_LIMIT);

export const FEATURED_LIMIT = 4;

/** The products of the home page: the first four of the API, the featured ones in front. */
export function featuredFirst<T extends Pick<Product, 'featured'>>(products: readonly T[]): T[] {
  const firstFour = products.slice(0, FEATURED_LIMIT);
  return [...firstFour.filter(({ featured }) => featured), ...firstFour.filter(({ featured }) => !featured)];
}
