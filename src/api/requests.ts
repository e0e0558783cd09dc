import { FEATURED_LIMIT, filterParams, type ListingQuery, PAGE_SIZE } from '#domain/listing.ts';
import { ADDRESSES } from './addresses.ts';
import { ProductPageSchema, SingleProductSchema } from './schema/product.ts';
import { StoreInfoSchema, StoreTermsSchema } from './schema/store-info.ts';

/**
 * A request without a token, as data. `fetchPublic` sends it with retries, when the visitor waits for the response.
 * `fetchInBackground` sends it once, without the API client.
 */
export interface Request<Schema> {
  readonly schema: Schema;
  readonly path: string;
  readonly searchParams: Readonly<Record<string, string | number>>;
}

/** The API returns at most this many products at once. */
export const PAGE_LIMIT = 100;

/** GET /products: one page of the whole catalogue. */
export const productPageRequest = (page: number) => ({
  schema: ProductPageSchema,
  path: 'products',
  searchParams: { page, limit: PAGE_LIMIT },
});

export const listingRequest = (query: ListingQuery) => ({
  schema: ProductPageSchema,
  path: 'products',
  searchParams: { page: query.page, limit: PAGE_SIZE, ...filterParams(query) },
});

/** GET /products for the home page: four products of the first category, whose name the API wants in lower case. */
export const featuredRequest = (category: string) => ({
  schema: ProductPageSchema,
  path: 'products',
  searchParams: {
    page: 1,
    limit: FEATURED_LIMIT,
    ...filterParams({ category: category.toLowerCase(), parentCategory: '', featured: false, page: 1 }),
  },
});

/** GET /products/{id}. A 404 becomes a Failure of the kind 'refused'. */
export const productRequest = (id: string) => ({
  schema: SingleProductSchema,
  path: ADDRESSES.product(id),
  searchParams: {},
});

/** GET /storeInfo. */
export const storeInfoRequest = () => ({ schema: StoreInfoSchema, path: 'storeInfo', searchParams: {} });

/** GET /storeTerms, the small part of the store record that decides what may be ordered. */
export const storeTermsRequest = () => ({
  schema: StoreTermsSchema,
  path: __CAPABILITIES__.terms ? 'storeTerms' : 'storeInfo',
  searchParams: {},
});

/**
 * The requests, beside the products, whose data the pages are built from. The publisher watches them for changes, and
 * the tests' API answers them, with {} by default. A new entry also needs code in catalogue/catalogue.ts that reads it,
 * and its call in API_CALLS of src/server/app/calls.ts.
 */
export const BUILD_REQUESTS = { store: storeInfoRequest() };
