import * as v from 'valibot';
import { replaceProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { isReserved } from '#server/http/names.ts';
import { missingPictures } from '#server/pictures/stored-pictures.ts';
import { line } from '#server/store/schema.ts';
import { replaceStore, requireStore } from '#server/store/stored-store.ts';

export const categoryName = v.pipe(
  line,
  v.check((name) => !isReserved(name), 'is a reserved name'),
);

const MOST = 200;

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
  if (list.length > MOST) return 'has too many categories';
  const names = new Set(list.map(({ name }) => name.toLowerCase()));
  if (names.size < list.length) return 'is in the list twice';
  const [missing] = await missingPictures(
    db,
    list.flatMap(({ image }) => image || []),
  );
  return missing && `has no picture '${missing}'`;
}

/**
 * Replaces the list of categories, and renames the category of products. Call it after `lockCatalogue`.
 * Returns why the list cannot be stored, as the end of a sentence; undefined on success.
 */
export async function saveCategories(
  transaction: Transaction,
  list: readonly Category[],
  renamed?: { readonly from: string; readonly to: string },
): Promise<string | undefined> {
  const problem = await problemOf(transaction, list);
  if (problem !== undefined) return problem;
  if (renamed && renamed.from !== renamed.to)
    for (const { product } of await storedProducts(transaction))
      if (product.category.toLowerCase() === renamed.from.toLowerCase())
        await replaceProduct(transaction, { ...product, category: renamed.to });
  await replaceStore(transaction, {
    ...(await requireStore(transaction)),
    categories: list.map(({ name }) => name),
    categoryImages: Object.fromEntries(
      list.filter(({ image }) => image !== '').map(({ name, image }) => [name, image]),
    ),
  });
  return undefined;
}
