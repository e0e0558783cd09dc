import { FEATURED_LIMIT, type ListingQuery, PAGE_SIZE, wireFilters } from '#domain/listing.ts';
import type { Product } from '#domain/product.ts';
import { encodePart } from '#domain/url.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { type ProductPage, WireProductPage, WireSingleProduct } from './schema/product.ts';

type Abort = Pick<Call, 'signal'>;

/** One page of the catalogue, unfiltered: what the build reads. `limit` is 100 at most on the wire. */
export const fetchProductPage = (page: number, limit: number): Promise<Result<ProductPage>> =>
  call(WireProductPage, 'products', { searchParams: { page, limit } });

/** GET /products for a listing (spec 7). */
export const fetchListing = (query: ListingQuery, abort: Abort = {}): Promise<Result<ProductPage>> =>
  call(WireProductPage, 'products', {
    ...abort,
    searchParams: { page: query.page, limit: PAGE_SIZE, ...wireFilters(query) },
  });

/** The featured lookup of the home page: the first category, lower-cased, four products (resolutions 14). */
export const fetchFeatured = (category: string): Promise<Result<ProductPage>> =>
  call(WireProductPage, 'products', {
    searchParams: {
      page: 1,
      limit: FEATURED_LIMIT,
      ...wireFilters({ category: category.toLowerCase(), parentCategory: '', featured: false, page: 1 }),
    },
  });

const LOOKUP_LIMIT = 100;

/** The lookup that collects the parent categories for the filter (spec 7). */
export const fetchLookup = (): Promise<Result<ProductPage>> => fetchProductPage(1, LOOKUP_LIMIT);

/** GET /products/{id}. A 404 comes as a refusal. */
export const fetchProduct = (id: string, abort: Abort = {}): Promise<Result<Product>> =>
  call(WireSingleProduct, `products/${encodePart(id)}`, abort);
