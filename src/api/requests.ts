import { FEATURED_LIMIT, filterParams, type ListingQuery, PAGE_SIZE } from '#domain/listing.ts';
import { ADDRESSES } from './addresses.ts';
import { ProductPageSchema, SingleProductSchema } from './schema/product.ts';
import { StoreInfoSchema } from './schema/store-info.ts';

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
export const PAGE_LIMIT = 100;

/** GET /products: one page of the whole catalogue. The first page also serves to list parent categories. */
export const productPageRequest = (page: number) => ({
  schema: ProductPageSchema,
  path: 'products',
  searchParams: { page, limit: PAGE_LIMIT },
});

/** GET /products for a listing. */
export const listingRequest = (query: ListingQuery) => ({
  schema: ProductPageSchema,
  path: 'products',
  searchParams: { page: query.page, limit: PAGE_SIZE, ...filterParams(query) },
});

/** GET /products for the home page: four products of the first category, in lower case. */
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

/**
 * The data that the pages are built from beside the products, one response each. The publisher watches every entry for
 * changes, and the API of the tests responds to it, with {} by default. A new entry must also be read in
 * catalogue/catalogue.ts and needs its call in API_CALLS of src/server/app/calls.ts.
 */
export const BUILD_REQUESTS = { store: storeInfoRequest() };
