import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type CatalogueProduct, ProductSchema } from '#server/catalogue/schema.ts';
import {
  freeId,
  isIdTaken,
  picturesOf,
  replaceProduct,
  type StoredProduct,
  setOnSale,
  storedProduct,
  storeProduct,
} from '#server/catalogue/stored-products.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { missingPictures } from '#server/pictures/stored-pictures.ts';
import { lockCatalogue, markCatalogueChanged } from '#server/services/catalogue-version.ts';

/** What is wrong with a form, by the path of the field, such as `attributes.0.values`. */
export type FieldErrors = Readonly<Record<string, string>>;

interface Refused {
  readonly status: 'refused';
  readonly errors: FieldErrors;
}

/** The outcome of a change. Only 'saved' has changed the database, unless `before` has the version of `after`. */
type Edit =
  | { readonly status: 'saved'; readonly before: StoredProduct; readonly after: StoredProduct }
  | { readonly status: 'missing' }
  | Refused;

const refused = (errors: FieldErrors): Refused => ({ status: 'refused', errors });

/** The fields of a product as a form sends them. They are checked by the schema of the folder's files. */
export type ProductInput = Readonly<Record<string, unknown>>;

async function pictureErrors(db: Reader, product: CatalogueProduct): Promise<FieldErrors> {
  const missing = await missingPictures(db, picturesOf(product));
  const places = [
    ['imgUrl', product.imgUrl] as const,
    ...product.images.map(({ url }, index) => [`images.${index}.url`, url] as const),
  ];
  const wrong = places.filter(([, picture]) => missing.has(picture));
  return Object.fromEntries(wrong.map(([path, picture]) => [path, `there is no picture '${picture}'`]));
}

/** Checks a product as `save` and `create` do, for a preview. Changes nothing. */
export async function checkProduct(
  db: Reader,
  input: ProductInput,
): Promise<{ readonly status: 'valid'; readonly value: CatalogueProduct } | Refused> {
  const { success, output, issues } = v.safeParse(ProductSchema, input);
  if (!success) {
    // A field that is wrong in several ways has the first of its errors.
    const wrong = issues.map((issue) => [v.getDotPath(issue) ?? '', issue.message]);
    return refused(Object.fromEntries(wrong.toReversed()));
  }
  const errors = await pictureErrors(db, output);
  return Object.keys(errors).length === 0 ? { status: 'valid', value: output } : refused(errors);
}

async function change(
  transaction: Transaction,
  id: string,
  make: (before: StoredProduct) => Promise<Refused | undefined>,
): Promise<Edit> {
  await lockCatalogue(transaction);
  const before = await storedProduct(transaction, id);
  if (!before) return { status: 'missing' };
  const refusal = await make(before);
  if (refusal) return refusal;
  const after = (await storedProduct(transaction, id)) ?? before;
  if (after.version !== before.version) await markCatalogueChanged(transaction);
  return { status: 'saved', before, after };
}

const PositionSchema = v.object({ position: v.number() });

const positionOf = (db: Reader, id: string): Promise<{ position: number } | undefined> =>
  db.get(PositionSchema, 'SELECT position FROM products WHERE id = ?', id);

const PlaceSchema = v.object({
  position: v.number(),
  dto: v.pipe(v.string(), v.parseJson(), v.object({ category: v.string() })),
});

/** Moves on every product at this position or after it. */
const shift = (transaction: Transaction, position: number): Promise<number> =>
  transaction.run('UPDATE products SET position = position + 1 WHERE position >= ?', position);

export const saveProduct = (transaction: Transaction, id: string, input: ProductInput): Promise<Edit> =>
  change(transaction, id, async ({ product }) => {
    const { createdAt } = product;
    const checked = await checkProduct(transaction, { createdAt, ...input, id });
    if (checked.status === 'refused') return checked;
    if (!isDeepStrictEqual(checked.value, product)) await replaceProduct(transaction, checked.value);
    return undefined;
  });

/** Takes a product out of sale, or brings it back to the place that it had. */
export const changeSale = (transaction: Transaction, id: string, isBack: boolean): Promise<Edit> =>
  change(transaction, id, async ({ product, isOnSale }) => {
    const errors = isBack ? await pictureErrors(transaction, product) : {};
    if (Object.keys(errors).length > 0) return refused(errors);
    if (isOnSale === isBack) return undefined;
    // Another product may have been put at its place meanwhile.
    const place = isBack ? await positionOf(transaction, id) : undefined;
    if (place) await shift(transaction, place.position);
    await setOnSale(transaction, id, isBack);
    return undefined;
  });

/** Makes a free position behind the last product of the category, or behind all. */
async function makeRoom(transaction: Transaction, category: string): Promise<number> {
  const places = await transaction.all(
    PlaceSchema,
    'SELECT position, dto FROM products WHERE discontinued = 0 ORDER BY position',
  );
  const last = places.findLast(({ dto }) => dto.category === category) ?? places.at(-1);
  const position = (last?.position ?? -1) + 1;
  await shift(transaction, position);
  return position;
}

/** Puts a new product on sale. Without an id, one is made from its title. @param now its time of creation, in ISO form */
export async function createProduct(
  transaction: Transaction,
  input: ProductInput,
  now: string,
): Promise<{ readonly status: 'saved'; readonly after: StoredProduct } | Refused> {
  await lockCatalogue(transaction);
  const id = input.id || (await freeId(transaction, String(input.title ?? '')));
  const checked = await checkProduct(transaction, { createdAt: now, ...input, id });
  if (checked.status === 'refused') return checked;
  const { value: product } = checked;
  if (await isIdTaken(transaction, product.id)) return refused({ id: 'is taken by another product' });
  await storeProduct(transaction, product, await makeRoom(transaction, product.category));
  await markCatalogueChanged(transaction);
  return { status: 'saved', after: { product, version: 1, isOnSale: true } };
}

/** Moves a product to the place before another one, or behind all. Returns whether both are there. */
export async function moveProduct(
  transaction: Transaction,
  id: string,
  before: string | undefined,
): Promise<boolean> {
  await lockCatalogue(transaction);
  const place =
    before === undefined
      ? await transaction.get(PositionSchema, 'SELECT max(position) + 1 AS position FROM products')
      : await positionOf(transaction, before);
  if (!place || !(await positionOf(transaction, id))) return false;
  if (before === id) return true;
  await shift(transaction, place.position);
  await transaction.run('UPDATE products SET position = ? WHERE id = ?', place.position, id);
  await markCatalogueChanged(transaction);
  return true;
}
