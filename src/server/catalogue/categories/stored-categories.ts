import * as v from 'valibot';
import { foldText } from '#domain/fold-text.ts';
import { nameKey } from '#domain/product.ts';
import { replaceProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { isReserved } from '#server/http/names.ts';
import { missingPictures } from '#server/pictures/stored-pictures.ts';
import { line } from '#server/store/schema.ts';
import { replaceStore, requireStore, withMoved } from '#server/store/stored-store.ts';

export const categoryName = v.pipe(
  line,
  v.check((name) => !isReserved(name), 'is a reserved name'),
);

const MAX_CATEGORIES = 200;

/** A category in the order of the menu. `image` is '' for none. */
export interface Category {
  readonly name: string;
  readonly image: string;
}

export async function categories(db: Reader): Promise<readonly Category[]> {
  const { categories: names, categoryImages } = await requireStore(db);
  return names.map((name) => ({
    name,
    image: Object.hasOwn(categoryImages, name) ? (categoryImages[name] ?? '') : '',
  }));
}

/** Returns why the list cannot be stored, as the end of a sentence; undefined if it can. */
async function problemOf(db: Reader, list: readonly Category[]): Promise<string | undefined> {
  if (list.length === 0) return 'needs a category';
  if (list.length > MAX_CATEGORIES) return 'has too many categories';
  const names = new Set(list.map(({ name }) => foldText(name)));
  if (names.size < list.length) return 'is in the list twice';
  const [missing] = await missingPictures(
    db,
    list.flatMap(({ image }) => image || []),
  );
  return missing && `has no picture '${missing}'`;
}

/** Renames the category of products, also where it is their parent category. */
async function renameIn(transaction: Transaction, from: string, to: string): Promise<void> {
  const renamed = (name: string): string => (nameKey(name) === nameKey(from) ? to : name);
  for (const { product } of await storedProducts(transaction)) {
    const [category, parentCategory] = [renamed(product.category), renamed(product.parentCategory)];
    if (category !== product.category || parentCategory !== product.parentCategory)
      await replaceProduct(transaction, { ...product, category, parentCategory });
  }
}

/**
 * Replaces the list of categories, and renames the category of products. Its old address leads to the new one. Call it after `lockCatalogue`.
 * Returns why the list cannot be stored, as the end of a sentence; undefined on success.
 */
export async function saveCategories(
  transaction: Transaction,
  list: readonly Category[],
  renamed?: { readonly from: string; readonly to: string },
): Promise<string | undefined> {
  const problem = await problemOf(transaction, list);
  if (problem !== undefined) return problem;
  const store = await requireStore(transaction);
  if (renamed && renamed.from !== renamed.to) await renameIn(transaction, renamed.from, renamed.to);
  await replaceStore(transaction, {
    ...store,
    ...(renamed && { moved: withMoved(store.moved, 'categories', renamed.from, renamed.to) }),
    categories: list.map(({ name }) => name),
    categoryImages: Object.fromEntries(
      list.filter(({ image }) => image !== '').map(({ name, image }) => [name, image]),
    ),
  });
  return undefined;
}
