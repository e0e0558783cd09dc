import { FEATURED_LIMIT, type ListingQuery, PAGE_SIZE, wireFilters } from '#domain/listing.ts';
import { encodePart } from '#domain/url.ts';
import { WireProductPage, WireSingleProduct } from './schema/product.ts';
import { WireStoreInfo } from './schema/store-info.ts';

/*
 * What can be asked without an account, as data: `call` asks with patience, where somebody waits for the answer;
 * `fetchInBackground` once and without a library, where nobody does.
 */

export interface Request<Schema> {
  readonly schema: Schema;
  readonly path: string;
  readonly searchParams: Readonly<Record<string, string | number>>;
}

/** GET /products: one page of the catalogue, unfiltered. `limit` is 100 at most on the wire. */
export const productPageRequest = (page: number, limit: number) => ({
  schema: WireProductPage,
  path: 'products',
  searchParams: { page, limit },
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

const LOOKUP_LIMIT = 100;

/** The lookup that collects the parent categories for the filter (spec 7). */
export const lookupRequest = () => productPageRequest(1, LOOKUP_LIMIT);

/** GET /products/{id}. A 404 comes as a refusal. */
export const productRequest = (id: string) => ({
  schema: WireSingleProduct,
  path: `products/${encodePart(id)}`,
  searchParams: {},
});

/** GET /storeInfo (spec 7). */
export const storeInfoRequest = () => ({ schema: WireStoreInfo, path: 'storeInfo', searchParams: {} });
