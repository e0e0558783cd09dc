import * as v from 'valibot';
import { BUILD_REQUESTS, productPageRequest, type Request, WIRE_LIMIT } from '#api/requests.ts';
import { shortDigest, storeDigests } from '#catalogue/digest.ts';
import type { Product } from '#domain/product.ts';
import { addressOf } from '#domain/url.ts';
import type { Differences } from '#scripts/program/publishing.ts';
import { changesOfProducts } from '#scripts/publish/release/changes.ts';
import type { CatalogueReport } from '#scripts/publish/release/manifest.ts';

const TIMEOUT_MS = 10_000;

type AnySchema = v.GenericSchema<unknown, unknown> | v.GenericSchemaAsync<unknown, unknown>;

async function read<S extends AnySchema>(apiBase: string, request: Request<S>): Promise<v.InferOutput<S>> {
  const response = await fetch(`${apiBase}/${addressOf(request)}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`GET ${response.url} answered ${response.status}`);
  return v.parseAsync(request.schema, await response.json());
}

async function readProducts(apiBase: string): Promise<Product[]> {
  const products: Product[] = [];
  for (let page = 1, total = 1; (page - 1) * WIRE_LIMIT < total; page += 1) {
    const answer = await read(apiBase, productPageRequest(page));
    products.push(...answer.products);
    total = answer.total;
  }
  return products;
}

/** Compares what the live release was built from with what the API has now. @throws when the API does not answer */
export async function differencesTo(live: CatalogueReport, apiBase: string): Promise<Differences> {
  const products = await readProducts(apiBase);
  const now = Object.fromEntries(
    products.map((product) => [
      product.id,
      { name: product.name, price: product.price, hash: shortDigest(product) },
    ]),
  );
  const before = Object.keys(live.products).filter((id) => Object.hasOwn(now, id));
  const after = Object.keys(now).filter((id) => Object.hasOwn(live.products, id));
  const texts = storeDigests(await read(apiBase, BUILD_REQUESTS.store));
  // A release of an earlier version of the program has no hashes of the store record, so no text can be compared.
  const liveTexts = live.store ?? texts;
  const changes = changesOfProducts(live.products, now);
  const hasSameIds = changes.added.length === 0 && changes.removed.length === 0;
  const order = shortDigest(products.map(({ id }) => id));
  return {
    ...changes,
    texts: Object.keys({ ...liveTexts, ...texts }).filter((name) => liveTexts[name] !== texts[name]),
    // JavaScript sorts keys that are whole numbers, so for products with such ids only the hash tells the order.
    isReordered:
      before.join('\n') !== after.join('\n') ||
      (hasSameIds && live.order !== undefined && live.order !== order),
  };
}
