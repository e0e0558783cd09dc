import * as v from 'valibot';
import { STORE_TERMS } from '#domain/buying/facts.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import { nameKey } from '#domain/product.ts';
import { type Leaf, recordFrom, type StoreRecord, storeLeaves, valueAt } from '#domain/store-fields.ts';
import { markCatalogueChanged } from '#server/db/catalogue-version.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { NAMED, STORE_INFO, setMeta } from '#server/db/meta.ts';
import { removePictures } from '#server/pictures/stored-pictures.ts';
import { STORE_DEFAULTS } from '#site.ts';
import { MOVED_LIMIT, type PolicyText, type StoreInfo, StoreInfoSchema } from './schema.ts';

const isPicture = ({ field }: Leaf): boolean => field.kind === 'picture';

/** Returns the picture fields of a record that have a picture. */
export const pictureFields = (record: StoreRecord): { readonly name: string; readonly picture: string }[] =>
  storeLeaves()
    .filter(isPicture)
    .map(({ name }) => ({ name, picture: String(valueAt(record, name) ?? '') }))
    .filter(({ picture }) => picture !== '');

const picturesOfStore = (store: StoreRecord & Pick<StoreInfo, 'categoryImages'>): string[] => [
  ...pictureFields(store).map(({ picture }) => picture),
  ...Object.values(store.categoryImages).filter((picture) => picture !== ''),
];

/** Returns the record with each picture replaced by `pictureOf`. */
export const withPictures = (store: StoreInfo, pictureOf: (picture: string) => string): StoreInfo => ({
  ...store,
  ...recordFrom((leaf) => {
    const value = valueAt(store, leaf.name);
    return isPicture(leaf) ? pictureOf(String(value ?? '')) : value;
  }),
  categoryImages: Object.fromEntries(
    Object.entries(store.categoryImages).map(([name, picture]) => [name, pictureOf(picture)]),
  ),
});

/** Returns the record for the API: with the addresses of its pictures, and with policies as HTML. */
export const storeDto = (store: StoreInfo, addressOf: (picture: string) => string): StoreInfo => ({
  ...withPictures(store, addressOf),
  policies: Object.fromEntries(
    Object.entries(store.policies).map(([slug, text]) => [slug, policyHtmlOf(text)]),
  ),
});

const RECORD = NAMED({ name: STORE_INFO });

/** Returns the store record, undefined without a catalogue. Its pictures are file names. */
export const storedStore = async (db: Reader): Promise<StoreInfo | undefined> =>
  (await db.row(RECORD, { value: json(StoreInfoSchema) }))?.value;

const TERMS_JSON = { value: json(v.pick(StoreInfoSchema, ['storeName', ...STORE_TERMS])) };

/** What an order needs of the store record, undefined without a catalogue. Units: rupees. */
export const storedTerms = async (db: Reader) => (await db.row(RECORD, TERMS_JSON))?.value;

const RETURN_TERMS_JSON = { value: json(v.pick(StoreInfoSchema, ['returnDays', 'refundDays'])) };

/** Days in which an order can be returned after its delivery, and until a refund arrives. */
export async function storedReturnTerms(db: Reader) {
  const { returnDays, refundDays } = (await db.row(RECORD, RETURN_TERMS_JSON))?.value ?? {};
  return {
    returnDays: returnDays ?? STORE_DEFAULTS.returnDays,
    refundDays: refundDays ?? STORE_DEFAULTS.refundDays,
  };
}

/** @throws without a catalogue, which a running API always has */
export async function requireStore(db: Reader): Promise<StoreInfo> {
  const store = await storedStore(db);
  if (!store) throw new Error('The database has no catalogue.');
  return store;
}

type Moved = NonNullable<StoreInfo['moved']>;

/** Adds an address that changed. Addresses that led to it lead to the new one. */
export function withMoved(moved: StoreInfo['moved'], kind: keyof Moved, from: string, to: string): Moved {
  const { [kind]: before, ...others }: Moved = { categories: {}, products: {}, ...moved };
  const keyOf = (name: string): string => (kind === 'categories' ? nameKey(name) : name);
  const [old, current] = [keyOf(from), keyOf(to)];
  const kept = Object.entries(before)
    .filter(([name]) => name !== old && name !== current)
    .map(([name, target]) => [name, keyOf(target) === old ? to : target]);
  const added = old === current ? kept : [...kept, [old, to]];
  return { categories: {}, products: {}, ...others, [kind]: Object.fromEntries(added.slice(-MOVED_LIMIT)) };
}

/** Call it after `lockCatalogue`, with a record that was read after it. */
export async function replaceStore(transaction: Transaction, store: StoreInfo): Promise<void> {
  const before = picturesOfStore(await requireStore(transaction));
  await setMeta(transaction, STORE_INFO, JSON.stringify(store));
  const kept = new Set(picturesOfStore(store));
  await removePictures(
    transaction,
    before.filter((name) => !kept.has(name)),
  );
  await markCatalogueChanged(transaction);
}

/** Returns the shop's own text of a policy, with placeholders; undefined if the site shows the built-in text. */
export async function policy(db: Reader, slug: string): Promise<PolicyText> {
  const { policies } = await requireStore(db);
  return Object.hasOwn(policies, slug) ? policies[slug] : undefined;
}

/** Call it after `lockCatalogue`. @param text undefined for the built-in text */
export async function savePolicy(transaction: Transaction, slug: string, text: PolicyText): Promise<void> {
  const store = await requireStore(transaction);
  const { [slug]: _replaced, ...others } = store.policies;
  const policies = text === undefined ? others : { ...others, [slug]: text };
  await replaceStore(transaction, { ...store, policies });
}
