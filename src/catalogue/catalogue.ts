import { createHash } from 'node:crypto';
import type * as v from 'valibot';
import type { AnswerSchema } from '#api/answer.ts';
import { apiBase } from '#api/base.ts';
import { fetchPublic } from '#api/client.ts';
import type { Failure } from '#api/failure.ts';
import { addressOf, BUILD_REQUESTS, productPageRequest, type Request, WIRE_LIMIT } from '#api/requests.ts';
import { isPriced, type Product } from '#domain/product.ts';
import type { StoreInfo } from '#domain/store-info.ts';

/** The whole catalogue, loaded once a build. A broken product is left out; it does not fail the build. */
export interface Catalog {
  readonly store: StoreInfo;
  readonly products: readonly Product[];
}

interface WholeCatalog extends Catalog {
  /** How many products were left out because they are broken. */
  readonly dropped: number;
}

const READINGS_MOST = 4;
/** Ids that are valid file names on every host and valid addresses unescaped. Not `a.html`: that is the file of product `a`. */
const SAFE_ID = /^(?!\.+$)(?!.*\.(?:html|br|gz|dcz)$)[\w.~-]{1,200}$/i;
const RESERVED_IDS = new Set(['__proto__', 'constructor', 'prototype']);

const warn = (text: string): void => console.warn(`[catalogue] ${text}`);

function reason(failure: Failure): string {
  if (failure.kind === 'no-answer') return 'no answer (is the API running?)';
  return failure.kind === 'refused'
    ? `answered ${failure.status} ${failure.error ?? ''}`
    : 'answered something unreadable';
}

async function ask<Schema extends AnswerSchema>(request: Request<Schema>): Promise<v.InferOutput<Schema>> {
  const result = await fetchPublic(request);
  if (result.ok) return result.value;
  throw new Error(
    `The catalogue could not be read: GET ${apiBase()}/${addressOf(request)} ${reason(result.failure)}. ` +
      'Nothing was published. Set PUBLIC_API_HOST to the address of the API and build again.',
  );
}

/** What one reading of the API brought. */
interface Reading extends Catalog {
  /** Broken products that are left out. */
  readonly dropped: number;
  readonly warnings: readonly string[];
  /** False when products are missing because they moved to another page of the API while it was read. */
  readonly isWhole: boolean;
}

async function readOnce(): Promise<Reading> {
  const store = await ask(BUILD_REQUESTS.store);
  const byId = new Map<string, Product>();
  const warnings: string[] = [];
  let total = 0;
  let isMore = true;
  for (let page = 1; isMore; page += 1) {
    const request = productPageRequest(page);
    const result = await ask(request);
    const before = byId.size;
    for (const product of result.products) if (!byId.has(product.id)) byId.set(product.id, product);
    // Of a server that has no pages the second one is the first again.
    const isAgain = !result.isCounted && page > 1 && byId.size === before;
    for (const { index, issue } of isAgain ? [] : result.dropped)
      warnings.push(`${addressOf(request)} data[${index}] left out: ${issue}`);
    total = result.total;
    // A server that does not count is asked until a page brings nothing new (resolutions 10, 15).
    isMore = result.isCounted ? page * WIRE_LIMIT < total : byId.size > before;
  }
  const dropped = warnings.length;
  return { store, products: [...byId.values()], dropped, warnings, isWhole: byId.size + dropped >= total };
}

const mapsAsObjects = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

/** A hash of anything that is made of plain values, lists, objects and Maps. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, mapsAsObjects)).digest('base64url');

/** Of what every page of the shop has in common: the code and the store record. */
export const shopDigest = (store: StoreInfo): string => digest([__CODE_HASH__, store]);

/** The same for the same products, in whichever order the API lists them. */
const digestOf = ({ store, products }: Catalog): string => digest([store, products.map(digest).toSorted()]);

/**
 * Reads until two readings in a row say the same: what is changed meanwhile, by an import say, would be published half
 * (faults 3).
 */
async function readSteadily(): Promise<Reading> {
  let before: string | undefined;
  for (let reading = 1; reading <= READINGS_MOST; reading += 1) {
    const read = await readOnce();
    const now = digestOf(read);
    if (read.isWhole && now === before) return read;
    if (before !== undefined) warn('the catalogue was changed while it was read; reading it again');
    before = now;
  }
  throw new Error('The catalogue kept changing while it was read. Nothing was published; build again.');
}

function withSafeIds(products: readonly Product[]): Product[] {
  const seen = new Map<string, string>();
  return products.filter(({ id, name }) => {
    if (!SAFE_ID.test(id) || RESERVED_IDS.has(id)) {
      warn(`product ${JSON.stringify(id.slice(0, 80))} ('${name}') left out: its id cannot be an address`);
      return false;
    }
    const other = seen.get(id.toLowerCase());
    if (other !== undefined) {
      throw new Error(
        `Products '${other}' and '${id}' would be one file on some hosts. Give one another id.`,
      );
    }
    seen.set(id.toLowerCase(), id);
    return true;
  });
}

async function read(): Promise<WholeCatalog> {
  const { store, products: listed, dropped, warnings } = await readSteadily();
  for (const warning of warnings) warn(warning);
  const products = withSafeIds(listed);
  if (products.length === 0) {
    throw new Error(
      `The catalogue of ${apiBase()} is empty. Nothing was published; fill it and build again.`,
    );
  }
  for (const product of products) {
    if (!isPriced(product))
      warn(`product '${product.id}' ('${product.name}') has no price and cannot be bought`);
  }
  return { store, products, dropped: dropped + listed.length - products.length };
}

let reading: Promise<WholeCatalog> | undefined;

function readWhole(): Promise<WholeCatalog> {
  reading ??= read();
  return reading;
}

/** @throws with the endpoint's name when it cannot be had whole: then the build fails (faults 1-4) */
export const catalog = (): Promise<Catalog> => readWhole();

export interface CatalogueReport {
  /** Changes when a product or the store record changes. */
  readonly hash: string;
  /** Changes when the code or the store record changes, but not when only products do. */
  readonly shop: string;
  /** Prices in rupees, and a hash of all that is known of the product, by id. */
  readonly products: Readonly<Record<string, { name: string; price: number; hash: string }>>;
  /** Products that were left out because they are broken. */
  readonly dropped: number;
}

/** A summary of the catalogue the site was built from. */
export async function catalogueReport(): Promise<CatalogueReport> {
  const { store, products, dropped } = await readWhole();
  return {
    hash: digest([store, products]),
    shop: shopDigest(store),
    products: Object.fromEntries(
      products.map((product) => [
        product.id,
        { name: product.name, price: product.price, hash: digest(product).slice(0, 16) },
      ]),
    ),
    dropped,
  };
}
