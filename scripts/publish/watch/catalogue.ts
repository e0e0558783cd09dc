import ky, { type Options } from 'ky';
import * as v from 'valibot';
import { BUILD_REQUESTS, PAGE_LIMIT, productPageRequest, type Request } from '#api/requests.ts';
import { ProductPageSchema } from '#api/schema/product.ts';
import { digest, productDigests, storeDigests } from '#catalogue/digest.ts';
import type { Product } from '#domain/product.ts';
import { addressOf } from '#domain/request-address.ts';
import { changesOfProducts } from '#scripts/publish/release/changes.ts';
import type { CatalogueReport } from '#scripts/publish/release/manifest.ts';
import type { Differences } from '#server/process/publishing.ts';

/** Without retries, because the watcher polls again. */
const api = ky.create({ timeout: 20_000, retry: 0 });

const MAX_PAGES = 10_000;

type AnySchema = v.GenericSchema<unknown, unknown> | v.GenericSchemaAsync<unknown, unknown>;

const read = <S extends AnySchema>(apiBase: string, request: Request<S>): Promise<v.InferOutput<S>> =>
  api(`${apiBase}/${addressOf(request)}`).json(request.schema);

/** Returns how many pages the list of products has, according to its first page. */
const pagesOf = async (body: string): Promise<number> => {
  const { total } = await v.parseAsync(ProductPageSchema, JSON.parse(body));
  return Math.min(Math.ceil(total / PAGE_LIMIT), MAX_PAGES);
};

/** Returns a text that changes with the catalogue. Throws if the API does not answer. */
export type Version = () => Promise<string>;

/**
 * Watches every answer that the build reads, by conditional requests, so that an unchanged answer has no body. An ETag
 * is for a single answer, so it requests every page of the list.
 */
export function sourceVersion(apiBase: string, options: Options = {}): Version {
  /** By address. `tag` is the server's ETag, or a hash of the body. */
  const lastAnswers = new Map<string, { readonly tag: string; readonly pages: number }>();

  async function fetchAnswer(path: string, countPages: (body: string) => Promise<number>) {
    const before = lastAnswers.get(path);
    const response = await api(`${apiBase}/${path}`, {
      ...options,
      headers: before ? { 'If-None-Match': before.tag } : {},
      throwHttpErrors: (status) => status !== 304,
    });
    if (response.status === 304 && before) return before;
    const body = await response.text();
    const tag = response.headers.get('ETag') ?? digest(body);
    const answer = { tag, pages: await countPages(body) };
    lastAnswers.set(path, answer);
    return answer;
  }

  return async () => {
    const requests = Object.values(BUILD_REQUESTS).map(addressOf);
    const first = await fetchAnswer(addressOf(productPageRequest(1)), (body) => pagesOf(body).catch(() => 1));
    for (let page = 2; page <= first.pages; page += 1) requests.push(addressOf(productPageRequest(page)));
    const tags = [first.tag];
    for (const request of requests) tags.push((await fetchAnswer(request, async () => 1)).tag);
    return digest(tags);
  };
}

/** The clocks of the API and the watcher differ by less, in ms. */
const TOLERANCE = 10 * 60_000;

const PlannedSchema = v.object({ pricesSince: v.fallback(v.optional(v.string(), ''), '') });

/**
 * Watches only planned price changes, such as the end of a sale. The version is the time of the last change in the
 * API's store record, or ''. It never goes back, for instance after a past sale is deleted, except from a future time
 * of a wrong clock.
 */
export function plannedPrices(apiBase: string, known = ''): Version {
  let last = known;
  return async () => {
    const { pricesSince } = await read(apiBase, { ...BUILD_REQUESTS.store, schema: PlannedSchema });
    if (pricesSince > last || Date.parse(last) > Date.now() + TOLERANCE) last = pricesSince;
    return last;
  };
}

async function readProducts(apiBase: string): Promise<Product[]> {
  const products: Product[] = [];
  for (let page = 1, total = 1; (page - 1) * PAGE_LIMIT < total; page += 1) {
    const answer = await read(apiBase, productPageRequest(page));
    products.push(...answer.products);
    total = answer.total;
  }
  return products;
}

/** Compares the catalogue of the live release with that of the API now. @throws if the API does not answer */
export async function differencesTo(live: CatalogueReport, apiBase: string): Promise<Differences> {
  const { products, order } = productDigests(await readProducts(apiBase));
  const texts = storeDigests(await read(apiBase, BUILD_REQUESTS.store));
  const changes = changesOfProducts(live.products, products);
  const hasSameIds = changes.added.length === 0 && changes.removed.length === 0;
  return {
    ...changes,
    texts: Object.keys({ ...live.store, ...texts }).filter((name) => live.store[name] !== texts[name]),
    isReordered: hasSameIds && live.order !== order,
  };
}
