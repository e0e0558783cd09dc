import { FEATURED_LIMIT, type ListingQuery, PAGE_SIZE, wireFilters } from '#domain/listing.ts';
import { ADDRESSES } from './addresses.ts';
import { ProductPageReader, SingleProductReader } from './schema/product.ts';
import { StoreInfoReader } from './schema/store-info.ts';

/**
 * A request that needs no account, as data. `fetchPublic` sends it with retries, when somebody waits for the response.
 * `fetchInBackground` sends it once and without a library, when nobody waits.
 */
export interface Request<Schema> {
  readonly schema: Schema;
  readonly path: string;
  readonly searchParams: Readonly<Record<string, string | number>>;
}

/** The most products in one response. */
export const WIRE_LIMIT = 100;

/** GET /products: one page of the whole catalogue. The first page also serves to list parent categories. */
export const productPageRequest = (page: number) => ({
  schema: ProductPageReader,
  path: 'products',
  searchParams: { page, limit: WIRE_LIMIT },
});

/** GET /products for a listing. */
export const listingRequest = (query: ListingQuery) => ({
  schema: ProductPageReader,
  path: 'products',
  searchParams: { page: query.page, limit: PAGE_SIZE, ...wireFilters(query) },
});

/** GET /products for the home page: four products of the first category, in lower case. */
export const featuredRequest = (category: string) => ({
  schema: ProductPageReader,
  path: 'products',
  searchParams: {
    page: 1,
    limit: FEATURED_LIMIT,
    ...wireFilters({ category: category.toLowerCase(), parentCategory: '', featured: false, page: 1 }),
  },
});

/** GET /products/{id}. A 404 becomes a Failure of the kind 'refused'. */
export const productRequest = (id: string) => ({
  schema: SingleProductReader,
  path: ADDRESSES.product(id),
  searchParams: {},
});

/** GET /storeInfo. */
export const storeInfoRequest = () => ({ schema: StoreInfoReader, path: 'storeInfo', searchParams: {} });

/**
 * The data that the pages are built from beside the products, one response each. The publisher watches every entry for
 * changes, and the API of the tests responds to it, with {} by default. A new entry must also be read in
 * catalogue/catalogue.ts and needs its call in API_CALLS of src/server/app/calls.ts.
 */
export const BUILD_REQUESTS = { store: storeInfoRequest() };
