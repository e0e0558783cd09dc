import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { StoreRecord } from '#domain/store-fields.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { setMeta } from '#scripts/api/db/meta.ts';
import { check, type Refused, refused } from '#scripts/api/office/change.ts';
import { missingPictures } from '#scripts/api/pictures/stored-pictures.ts';
import { lockCatalogue, markCatalogueChanged } from '#scripts/api/shop/catalogue-version.ts';
import {
  PolicySlugSchema,
  type PolicyText,
  PolicyTextSchema,
  type SentStoreInfo,
  StoreRecordSchema,
} from './schema.ts';
import { orderedStore, pictureFields, storedStore } from './stored-store.ts';

/** The outcome of a change of the store record. */
export type StoreEdit<T> = { readonly status: 'saved'; readonly before: T; readonly after: T } | Refused;

const policyOf = ({ policies }: SentStoreInfo, slug: string): PolicyText =>
  Object.hasOwn(policies, slug) ? policies[slug] : undefined;

export async function requireStore(db: Reader): Promise<SentStoreInfo> {
  const store = await storedStore(db);
  if (!store) throw new Error('The database has no catalogue.');
  return store;
}

export async function storeRecord(db: Reader): Promise<StoreRecord> {
  const {
    categories: _categories,
    categoryImages: _images,
    policies: _policies,
    ...record
  } = await requireStore(db);
  return record;
}

/** A policy as it is written, with its placeholders; undefined where the site's own text is shown. */
export const policy = async (db: Reader, slug: string): Promise<PolicyText> =>
  policyOf(await requireStore(db), slug);

/** Changes a part of the store record. */
export async function changeStore<T>(
  transaction: Transaction,
  read: (db: Reader) => Promise<T>,
  make: (store: SentStoreInfo) => Promise<SentStoreInfo | Refused>,
): Promise<StoreEdit<T>> {
  await lockCatalogue(transaction);
  const before = await read(transaction);
  const store = await requireStore(transaction);
  const made = await make(store);
  if ('status' in made) return made;
  const ordered = orderedStore(made);
  if (!isDeepStrictEqual(ordered, store)) {
    await setMeta(transaction, 'store_info', JSON.stringify(ordered));
    await markCatalogueChanged(transaction);
  }
  return { status: 'saved', before, after: await read(transaction) };
}

export const saveStoreRecord = (transaction: Transaction, input: unknown): Promise<StoreEdit<StoreRecord>> =>
  changeStore(transaction, storeRecord, async (store) => {
    const checked = check(StoreRecordSchema, input);
    if (checked.status === 'refused') return checked;
    const missing = await missingPictures(
      transaction,
      pictureFields(checked.value).map(({ picture }) => picture),
    );
    const errors = pictureFields(checked.value)
      .filter(({ picture }) => missing.has(picture))
      .map(({ name, picture }) => [name, `there is no picture '${picture}'`]);
    return errors.length > 0 ? refused(Object.fromEntries(errors)) : { ...store, ...checked.value };
  });

/** Replaces the text of a policy. Without any, the site shows its own. */
export const savePolicy = (
  transaction: Transaction,
  slug: string,
  text: string | undefined,
): Promise<StoreEdit<PolicyText>> =>
  changeStore(
    transaction,
    (db) => policy(db, slug),
    async (store) => {
      const checked = check(v.object({ slug: PolicySlugSchema, text: PolicyTextSchema }), { slug, text });
      if (checked.status === 'refused') return checked;
      const { [slug]: _replaced, ...others } = store.policies;
      const { value } = checked;
      return {
        ...store,
        policies: value.text === undefined ? others : { ...others, [slug]: value.text },
      };
    },
  );
