import { FEATURED_LIMIT, type ListingQuery, PAGE_SIZE, wireFilters } from '#domain/listing.ts';
import { encodePart } from '#domain/url.ts';
import { WireProductPage, WireSingleProduct } from './schema/product.ts';
import { WireStoreInfo } from './schema/store-info.ts';

/**
 * What can be asked without an account, as data: `fetchPublic` asks with patience, where somebody waits for the answer;
 * `fetchInBackground` once and without a library, where nobody does.
 */
export interface Request<Schema> {
  readonly schema: Schema;
  readonly path: string;
  readonly searchParams: Readonly<Record<string, string | number>>;
}

/** The address of a request, below the API's base. */
export function addressOf({ path, searchParams }: Request<unknown>): string {
  const entries = Object.entries(searchParams).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(entries).toString();
  return query ? `${path}?${query}` : path;
}

/** Products that one answer holds at most. */
export const WIRE_LIMIT = 100;

/** GET /products: one page of the whole catalogue. The first is the lookup of parent categories, too (spec 7). */
export const productPageRequest = (page: number) => ({
  schema: WireProductPage,
  path: 'products',
  searchParams: { page, limit: WIRE_LIMIT },
});

/** GET /products for a listing (spec 7). */
export const listingRequest = (query: ListingQuery) => ({
  schema: WireProductPage,
  path: 'products',
  searchParams: { page: query.page, limit: PAGE_SIZE, ...wireFilters(query) },
});

/** The featured lookup of the home page: the first category, lower-cased, four products (resolutions 14). */
export const featuredRequest = (category: string) => ({
  schema: WireProductPage,
  path: 'products',
  searchParams: {
    page: 1,
    limit: FEATURED_LIMIT,
    ...wireFilters({ category: category.toLowerCase(), parentCategory: '', featured: false, page: 1 }),
  },
});

/** GET /products/{id}. A 404 comes as a refusal. */
export const productRequest = (id: string) => ({
  schema: WireSingleProduct,
  path: `products/${encodePart(id)}`,
  searchParams: {},
});

/** GET /storeInfo (spec 7). */
export const storeInfoRequest = () => ({ schema: WireStoreInfo, path: 'storeInfo', searchParams: {} });

/**
 * What the pages are built from beside the products, each in one answer. The publisher's watcher follows every entry,
 * and the tests' API answers it, with {} where a test says nothing else. A new entry also needs to be read in
 * catalogue/catalogue.ts, and its call among API_CALLS of scripts/api/routes.ts.
 */
export const BUILD_REQUESTS = { store: storeInfoRequest() };
