import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import {
  CategoryListSchema,
  type PolicyHtml,
  PolicyHtmlSchema,
  PolicySlugSchema,
  StoreRecordSchema,
  type WireStoreInfo,
} from '#scripts/api/schema/store.ts';
import { check, type Edit, type Refused, refused } from './edit.ts';
import { missingPictures } from './pictures.ts';
import { replaceProduct, storedProducts } from './stored-products.ts';
import { orderedStore, storedStore } from './stored-store.ts';
import { lockCatalogue, markCatalogueChanged, setMeta } from './version.ts';

/** The store's names, address, contact and logo. */
export type StoreRecord = v.InferOutput<typeof StoreRecordSchema>;

/** A category in the order of the menu. `image` is '' for none. */
export interface Category {
  readonly name: string;
  readonly image: string;
}

/** A part of the store record as an editor sees it. Its version is the same as long as the part is. */
export interface Part<T> {
  readonly value: T;
  readonly version: string;
}

const part = <T>(value: T): Part<T> => ({
  value,
  version: createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 22),
});

const categoriesOf = ({ categories, categoryImages }: WireStoreInfo): Category[] =>
  categories.map((name) => ({
    name,
    image: Object.hasOwn(categoryImages, name) ? (categoryImages[name] ?? '') : '',
  }));

const policyOf = ({ policies }: WireStoreInfo, slug: string): PolicyHtml =>
  Object.hasOwn(policies, slug) ? policies[slug] : undefined;

async function requireStore(db: Reader): Promise<WireStoreInfo> {
  const store = await storedStore(db);
  if (!store) throw new Error('The database has no catalogue.');
  return store;
}

export const storeRecord = async (db: Reader): Promise<Part<StoreRecord>> =>
  part(v.parse(v.object(StoreRecordSchema.entries), await requireStore(db)));

export const categories = async (db: Reader): Promise<Part<readonly Category[]>> =>
  part(categoriesOf(await requireStore(db)));

/** A policy's HTML with its placeholders; undefined where the site's own text is shown. */
export const policy = async (db: Reader, slug: string): Promise<Part<PolicyHtml>> =>
  part(policyOf(await requireStore(db), slug));

/** Changes a part of the store record whose version the editor has seen. */
async function change<T>(
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

/** Lets the products of renamed categories follow. */
async function renameCategories(
  transaction: Transaction,
  renamed: ReadonlyMap<string, string>,
): Promise<void> {
  if (renamed.size === 0) return;
  for (const { product } of await storedProducts(transaction)) {
    const category = renamed.get(product.category.toLowerCase());
    if (category !== undefined) await replaceProduct(transaction, { ...product, category });
  }
}

/**
 * Replaces the list of categories: new ones, other names, pictures and another order.
 * @param input a list of `name`, `image`, and `was`: its name so far, unless it is new
 */
export const saveCategories = (
  transaction: Transaction,
  version: string,
  input: unknown,
): Promise<Edit<Part<readonly Category[]>>> =>
  change(transaction, version, categories, async (store) => {
    const checked = check(CategoryListSchema, input);
    if (checked.status === 'refused') return checked;
    const list = checked.value;
    const missing = await missingPictures(
      transaction,
      list.flatMap(({ image }) => (image === '' ? [] : [image])),
    );
    const errors = list.flatMap(({ name, image, was }, index) => [
      ...(missing.has(image) ? [[`${index}.image`, `there is no picture '${image}'`]] : []),
      ...(list.some((other, at) => at < index && other.name.toLowerCase() === name.toLowerCase())
        ? [[`${index}.name`, 'is in the list twice']]
        : []),
      ...(was !== undefined && !store.categories.includes(was)
        ? [[`${index}.was`, 'is the name of no category']]
        : []),
    ]);
    if (errors.length > 0) return refused(Object.fromEntries(errors));
    const renamed = list.flatMap(({ name, was }) =>
      was === undefined || was === name ? [] : [[was.toLowerCase(), name] as const],
    );
    await renameCategories(transaction, new Map(renamed));
    return {
      ...store,
      categories: list.map(({ name }) => name),
      categoryImages: Object.fromEntries(
        list.filter(({ image }) => image !== '').map(({ name, image }) => [name, image]),
      ),
    };
  });
