import * as v from 'valibot';
import { replaceProduct, storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { isReserved } from '#scripts/api/http/names.ts';
import { check, refused } from '#scripts/api/office/change.ts';
import { missingPictures } from '#scripts/api/pictures/stored-pictures.ts';
import { changeStore, requireStore, type StoreEdit } from '#scripts/api/store/edit-store.ts';
import { line, type SentStoreInfo } from '#scripts/api/store/schema.ts';

export const categoryName = v.pipe(
  line,
  v.check((name) => !isReserved(name), 'is a reserved name'),
);

export const CategoryListSchema = v.pipe(
  v.array(v.strictObject({ name: categoryName, image: v.string(), was: v.optional(v.string()) })),
  v.minLength(1, 'needs a category'),
  v.maxLength(200, 'has too many categories'),
);

/** A category in the order of the menu. `image` is '' for none. */
export interface Category {
  readonly name: string;
  readonly image: string;
}

const categoriesOf = ({ categories, categoryImages }: SentStoreInfo): Category[] =>
  categories.map((name) => ({
    name,
    image: Object.hasOwn(categoryImages, name) ? (categoryImages[name] ?? '') : '',
  }));

export const categories = async (db: Reader): Promise<readonly Category[]> =>
  categoriesOf(await requireStore(db));

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
  input: unknown,
): Promise<StoreEdit<readonly Category[]>> =>
  changeStore(transaction, categories, async (store) => {
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
