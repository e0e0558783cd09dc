import type * as v from 'valibot';
import { apiBase } from '#api/addresses.ts';
import type { AnswerSchema } from '#api/answer.ts';
import { fetchPublic } from '#api/client.ts';
import { BUILD_REQUESTS, PAGE_LIMIT, productPageRequest, type Request } from '#api/requests.ts';
import { CAPABILITY_NAMES } from '#domain/capabilities.ts';
import { homeTexts } from '#domain/home-texts.ts';
import { isPriced, nameKey, type Product } from '#domain/product.ts';
import { addressOf } from '#domain/request-address.ts';
import { withDefaults } from '#domain/store-fields.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { paths } from '#paths.ts';
import { STORE_DEFAULTS } from '#site.ts';
import { digest, productDigests, storeDigests } from './digest.ts';
import { unreadable } from './unreadable.ts';

/** Invalid products are left out and do not fail the build. */
export interface Catalogue {
  readonly store: StoreInfo;
  readonly products: readonly Product[];
}

const READINGS_LIMIT = 4;
/**
 * Ids that are valid file names on every host and need no escaping in an address. Not `a.html`, which is the file of
 * product `a`.
 */
const SAFE_ID = /^(?!\.+$)(?!.*\.(?:html|br|gz|dcz)$)[\w.~-]{1,200}$/i;
const RESERVED_IDS = new Set(['__proto__', 'constructor', 'prototype']);

const warn = (text: string): void => console.warn(`[catalogue] ${text}`);

async function fetchOrFail<Schema extends AnswerSchema>(
  request: Request<Schema>,
): Promise<v.InferOutput<Schema>> {
  const result = await fetchPublic(request);
  if (result.ok) return result.value;
  throw unreadable(`${apiBase()}/${addressOf(request)}`, result.failure);
}

interface CheckedCatalogue extends Catalogue {
  readonly dropped: number;
}

interface Reading extends CheckedCatalogue {
  readonly warnings: readonly string[];
  /** False if products moved to another page while the pages were read, so that some are missing. */
  readonly isWhole: boolean;
}

async function readOnce(): Promise<Reading> {
  const store = await fetchOrFail(BUILD_REQUESTS.store);
  const byId = new Map<string, Product>();
  const warnings: string[] = [];
  let total = 0;
  let isMore = true;
  for (let page = 1; isMore; page += 1) {
    const request = productPageRequest(page);
    const result = await fetchOrFail(request);
    const sizeBefore = byId.size;
    for (const product of result.products) if (!byId.has(product.id)) byId.set(product.id, product);
    // A server without paging returns the first page again. Its warnings must not be repeated.
    const isRepeated = !result.isCounted && page > 1 && byId.size === sizeBefore;
    for (const { index, issue } of isRepeated ? [] : result.dropped)
      warnings.push(`${addressOf(request)} data[${index}] left out: ${issue}`);
    total = result.total;
    // Without a total, continues until a page has no new products.
    isMore = result.isCounted ? page * PAGE_LIMIT < total : byId.size > sizeBefore;
  }
  const dropped = warnings.length;
  return { store, products: [...byId.values()], dropped, warnings, isWhole: byId.size + dropped >= total };
}

/** A hash of what all pages share: the code and the store record. */
export const shopDigest = (store: StoreInfo): string => digest([__CODE_HASH__, store]);

/** Does not depend on the order in which the API lists the products. */
const digestOf = ({ products, warnings: _, ...rest }: Reading): string =>
  digest([rest, products.map(digest).toSorted()]);

/** Reads until two consecutive readings are equal. Otherwise a change such as an import could be half published. */
async function readSteadily(): Promise<Reading> {
  let previousDigest: string | undefined;
  for (let count = 1; count <= READINGS_LIMIT; count += 1) {
    const reading = await readOnce();
    const digestNow = digestOf(reading);
    if (reading.isWhole && digestNow === previousDigest) return reading;
    if (previousDigest !== undefined) warn('the catalogue was changed while it was read; reading it again');
    previousDigest = digestNow;
  }
  throw new Error('The catalogue kept changing while it was read. Nothing was published; build again.');
}

/** A retry would fail again. The parent process recognises it by its name. */
class RefusedCatalogue extends Error {
  override readonly name = 'RefusedCatalogue';
}

function withSafeIds(products: readonly Product[]): Product[] {
  const idsByLowerCase = new Map<string, string>();
  return products.filter(({ id, name }) => {
    if (!SAFE_ID.test(id) || RESERVED_IDS.has(id)) {
      warn(`product ${JSON.stringify(id.slice(0, 80))} ('${name}') left out: its id cannot be an address`);
      return false;
    }
    const other = idsByLowerCase.get(id.toLowerCase());
    if (other !== undefined) {
      throw new RefusedCatalogue(
        `Products '${other}' and '${id}' would be one file on some hosts. Give one another id.`,
      );
    }
    idsByLowerCase.set(id.toLowerCase(), id);
    return true;
  });
}

async function readAndCheck(): Promise<CheckedCatalogue> {
  const { store, products: listed, dropped, warnings } = await readSteadily();
  for (const warning of warnings) warn(warning);
  const products = withSafeIds(listed);
  if (products.length === 0) {
    throw new RefusedCatalogue(
      `The catalogue of ${apiBase()} is empty. Nothing was published; fill it and build again.`,
    );
  }
  for (const product of products) {
    if (!isPriced(product))
      warn(`product '${product.id}' ('${product.name}') has no price and cannot be bought`);
  }
  return { store, products, dropped: dropped + listed.length - products.length };
}

/** Caches what is computed once per build. */
export function memoize<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

const isWebAddress = (text: string, scheme = /^https?:$/): boolean =>
  URL.canParse(text) && scheme.test(new URL(text).protocol);

/** Returns the store record as pages show it: with the defaults of src/site.ts, and with filled placeholders in the home texts. */
export function describedStore(record: StoreInfo): StoreInfo {
  const store = withDefaults(record, STORE_DEFAULTS);
  return {
    ...store,
    siteUrl: new URL(isWebAddress(store.siteUrl) ? store.siteUrl : STORE_DEFAULTS.siteUrl).origin,
    ...homeTexts(store),
    newsletterUrl: isWebAddress(store.newsletterUrl, /^https:$/) ? store.newsletterUrl : '',
    social: store.social.filter(({ url }) => isWebAddress(url)),
  };
}

const readCheckedOnce = memoize(readAndCheck);

/**
 * Returns the catalogue, with the defaults of src/site.ts in its store record. Throws an error that names the endpoint if
 * it cannot be read completely, which fails the build.
 */
export const catalogue = memoize(async (): Promise<Catalogue> => {
  const { store, products } = await readCheckedOnce();
  return { store: describedStore(store), products };
});

/** Returns the new names of categories by the old ones in lower case, which no product has any more. */
export async function movedCategories(): Promise<[old: string, current: string][]> {
  const { store, products } = await catalogue();
  const live = new Set(
    products.flatMap(({ category, parentCategory }) => [category, parentCategory].map(nameKey)),
  );
  return [...(store.moved?.categories ?? [])]
    .map(([old, current]): [string, string] => [nameKey(old), current])
    .filter(([old, current]) => !live.has(old) && live.has(nameKey(current)));
}

/** What `catalogue.json` says about the build; scripts/publish/release/manifest.ts describes its fields. */
export async function catalogueReport() {
  const checked = await readCheckedOnce();
  const { store, products, dropped } = checked;
  const ids = new Set(products.map(({ id }) => id));
  return {
    hash: digest(checked),
    shop: shopDigest(store),
    store: storeDigests(store),
    ...productDigests(products),
    siteUrl: describedStore(store).siteUrl,
    dropped,
    capabilities: CAPABILITY_NAMES.filter((name) => __CAPABILITIES__[name]),
    moved: Object.fromEntries([
      ...[...(store.moved?.products ?? [])]
        .filter(([old, current]) => SAFE_ID.test(old) && !ids.has(old) && ids.has(current))
        .map((ids) => ids.map(paths.product)),
      ...(await movedCategories()).flatMap((names) => {
        const addresses = names.map(paths.category);
        return [addresses, addresses.map((address) => address.replace('?category', '?parentCategory'))];
      }),
    ]),
  };
}
