import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { CatalogueProduct } from '#scripts/api/catalogue/schema.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { MetaSchema, setMeta } from '#scripts/api/db/meta.ts';
import type { SentStoreInfo } from '#scripts/api/store/schema.ts';

/** What the folder and the database both hold. */
export interface Catalogue {
  /** In the order of the shop, those that are out of sale among them. Their pictures are file names. */
  readonly products: readonly CatalogueProduct[];
  /** The ids of the products that are out of sale. */
  readonly outOfSale: ReadonlySet<string>;
  readonly storeInfo: SentStoreInfo;
  readonly pictures: readonly { readonly name: string; readonly etag: string }[];
}

/** A hash of each part by its name, such as `products/mango` or `store.json companyPhone`. Products are in the order of the shop. */
export type Parts = ReadonlyMap<string, string>;

const PRODUCT = 'products/';

const PICTURE = 'art/';

const ORDER = 'the order of the products';

export const productPart = (id: string): string => PRODUCT + id;

export const picturePart = (name: string): string => PICTURE + name;

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);

const hashes = (prefix: string, values: object): [string, string][] =>
  Object.entries(values).map(([name, value]) => [prefix + name, hashOf(value)]);

export function partsOf({ products, outOfSale, storeInfo, pictures }: Catalogue): Parts {
  const { categoryImages, policies, ...record } = storeInfo;
  return new Map([
    ...products.map((product): [string, string] => [
      productPart(product.id),
      hashOf([product, outOfSale.has(product.id)]),
    ]),
    ...hashes('store.json ', record),
    ...hashes('store.json categoryImages ', categoryImages),
    ...hashes('policies/', policies),
    ...pictures.map(({ name, etag }): [string, string] => [picturePart(name), etag]),
  ]);
}

/**
 * Returns what would be lost if `taken` replaced `replaced`: the names of the parts that `replaced` has changed since
 * `before`, and that are not the same in `taken`.
 */
export function lostParts(before: Parts, replaced: Parts, taken: Parts): string[] {
  const isLost = (was: string | undefined, is: string | undefined, becomes: string | undefined): boolean =>
    is !== was && is !== becomes;
  const orderIn = (parts: Parts): string =>
    [...parts.keys()]
      .filter((name) => name.startsWith(PRODUCT))
      .filter((name) => before.has(name) && replaced.has(name) && taken.has(name))
      .join('\n');
  const names = [...new Set([...replaced.keys(), ...before.keys()])];
  return [
    ...names.filter((name) => isLost(before.get(name), replaced.get(name), taken.get(name))),
    ...(isLost(orderIn(before), orderIn(replaced), orderIn(taken)) ? [ORDER] : []),
  ];
}

/** Adds those of the products that the catalogue does not have, as out of sale: orders refer to them, so they stay stored. */
export function withOutOfSale(catalogue: Catalogue, products: readonly CatalogueProduct[]): Catalogue {
  const ids = new Set(catalogue.products.map(({ id }) => id));
  const others = products.filter(({ id }) => !ids.has(id));
  return {
    ...catalogue,
    products: [...catalogue.products, ...others],
    outOfSale: new Set([...catalogue.outOfSale, ...others.map(({ id }) => id)]),
  };
}

/** Pictures of the database change only together with the products and the store, and some of them are prepared. */
export const withoutPictures = (parts: Parts): Parts =>
  new Map([...parts].filter(([name]) => !name.startsWith(PICTURE)));

const SharedSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** The parts of the folder when it was last imported or exported. None where neither has happened. */
export async function sharedParts(db: Reader): Promise<Parts> {
  const row = await db.get(MetaSchema, "SELECT value FROM meta WHERE name = 'catalogue_shared'");
  return new Map(row ? Object.entries(v.parse(SharedSchema, row.value)) : []);
}

/** Remembers what the folder and the database hold alike from now on. */
export const shareParts = (transaction: Transaction, parts: Parts): Promise<number> =>
  setMeta(transaction, 'catalogue_shared', JSON.stringify(Object.fromEntries(parts)));

const MOST_NAMES = 20;

/** The names as lines of a message. A product is named with its title, too. */
export function namedParts(names: readonly string[], { products }: Pick<Catalogue, 'products'>): string {
  const titles = new Map(products.map(({ id, title }) => [productPart(id), ` '${title}'`]));
  const lines = names.slice(0, MOST_NAMES).map((name) => `  ${name}${titles.get(name) ?? ''}`);
  const more = names.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}
