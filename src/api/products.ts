import type * as v from 'valibot';
import type { ListingQuery } from '#domain/listing.ts';
import type { Product } from '#domain/product.ts';
import type { AnswerSchema } from './answer.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import {
  listingRequest,
  lookupRequest,
  productPageRequest,
  productRequest,
  type Request,
} from './requests.ts';
import type { ProductPage } from './schema/product.ts';

type Abort = Pick<Call, 'signal'>;

const send = <Schema extends AnswerSchema>(
  { schema, path, searchParams }: Request<Schema>,
  abort: Abort = {},
): Promise<Result<v.InferOutput<Schema>>> => call(schema, path, { ...abort, searchParams });

/** GET /products, unfiltered: for the build and /api-test. */
export const fetchProductPage = (page: number, limit: number): Promise<Result<ProductPage>> =>
  send(productPageRequest(page, limit));

export const fetchListing = (query: ListingQuery): Promise<Result<ProductPage>> =>
  send(listingRequest(query));

export const fetchLookup = (): Promise<Result<ProductPage>> => send(lookupRequest());

export const fetchProduct = (id: string, abort?: Abort): Promise<Result<Product>> =>
  send(productRequest(id), abort);
