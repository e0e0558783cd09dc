import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { setMeta } from '#scripts/api/db/meta.ts';
import { check, type Edit, type Refused, refused } from '#scripts/api/office/edit.ts';
import { missingPictures } from '#scripts/api/pictures/stored-pictures.ts';
import { lockCatalogue, markCatalogueChanged } from '#scripts/api/shop/catalogue-version.ts';
import {
  type PolicyHtml,
  PolicyHtmlSchema,
  PolicySlugSchema,
  StoreRecordSchema,
  type WireStoreInfo,
} from './schema.ts';
import { orderedStore, storedStore } from './stored-store.ts';

/** The store's names, address, contact and logo. */
export type StoreRecord = v.InferOutput<typeof StoreRecordSchema>;

/** A part of the store record as an editor sees it. Its version is the same as long as the part is. */
export interface Part<T> {
  readonly value: T;
  readonly version: string;
}

export const part = <T>(value: T): Part<T> => ({
  value,
  version: createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 22),
});

const policyOf = ({ policies }: WireStoreInfo, slug: string): PolicyHtml =>
  Object.hasOwn(policies, slug) ? policies[slug] : undefined;

export async function requireStore(db: Reader): Promise<WireStoreInfo> {
  const store = await storedStore(db);
  if (!store) throw new Error('The database has no catalogue.');
  return store;
}

export const storeRecord = async (db: Reader): Promise<Part<StoreRecord>> =>
  part(v.parse(v.object(StoreRecordSchema.entries), await requireStore(db)));

/** A policy's HTML with its placeholders; undefined where the site's own text is shown. */
export const policy = async (db: Reader, slug: string): Promise<Part<PolicyHtml>> =>
  part(policyOf(await requireStore(db), slug));

/** Changes a part of the store record whose version the editor has seen. */
export async function change<T>(
  transaction: Transaction,
  version: string,
  read: (db: Reader) => Promise<Part<T>>,
  make: (store: WireStoreInfo) => Promise<WireStoreInfo | Refused>,
): Promise<Edit<Part<T>>> {
  await lockCatalogue(transaction);
  const before = await read(transaction);
  if (before.version !== version) return { status: 'stale', stored: before };
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

export const saveStoreRecord = (
  transaction: Transaction,
  version: string,
  input: unknown,
): Promise<Edit<Part<StoreRecord>>> =>
  change(transaction, version, storeRecord, async (store) => {
    const checked = check(StoreRecordSchema, input);
    if (checked.status === 'refused') return checked;
    const { companyLogoUrl } = checked.value;
    if (companyLogoUrl !== '' && (await missingPictures(transaction, [companyLogoUrl])).size > 0) {
      return refused({ companyLogoUrl: `there is no picture '${companyLogoUrl}'` });
    }
    return { ...store, ...checked.value };
  });

/** Replaces the text of a policy. Without any, the site shows its own. */
export const savePolicy = (
  transaction: Transaction,
  slug: string,
  version: string,
  html: string | undefined,
): Promise<Edit<Part<PolicyHtml>>> =>
  change(
    transaction,
    version,
    (db) => policy(db, slug),
    async (store) => {
      const checked = check(v.object({ slug: PolicySlugSchema, html: PolicyHtmlSchema }), { slug, html });
      if (checked.status === 'refused') return checked;
      const { [slug]: _replaced, ...others } = store.policies;
      const { value } = checked;
      return {
        ...store,
        policies: value.html === undefined ? others : { ...others, [slug]: value.html },
      };
    },
  );
