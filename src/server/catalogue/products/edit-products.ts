import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type CatalogueProduct, ProductSchema } from '#server/catalogue/schema.ts';
import {
  freeId,
  isIdTaken,
  picturesOf,
  replaceProduct,
  requireProduct,
  type StoredProduct,
  setDiscontinued,
  setPosition,
  storedProduct,
  storeProduct,
} from '#server/catalogue/stored-products.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { missingPictures } from '#server/pictures/stored-pictures.ts';
import { lockCatalogue, markCatalogueChanged } from '#server/services/catalogue-version.ts';
import { removePictures } from '#server/store/stored-store.ts';

/** Error texts by the path of the field, such as `attributes.0.values`. */
export type FieldErrors = Readonly<Record<string, string>>;

interface Refused {
  readonly errors: FieldErrors;
}

/** Nothing was changed if both have the same version. */
interface Edit {
  readonly before: StoredProduct;
  readonly after: StoredProduct;
}

/** The fields of a product, not validated yet. */
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

/** Validates a product like `saveProduct` and `createProduct`. Changes nothing. */
export async function checkProduct(
  db: Reader,
  input: ProductInput,
): Promise<{ readonly product: CatalogueProduct } | Refused> {
  const { success, output, issues } = v.safeParse(ProductSchema, input);
  if (!success) {
    // Reversed, so that the first error of a field wins.
    const wrong = issues.map((issue) => [v.getDotPath(issue) ?? '', issue.message]);
    return { errors: Object.fromEntries(wrong.toReversed()) };
  }
  const errors = await pictureErrors(db, output);
  return Object.keys(errors).length === 0 ? { product: output } : { errors };
}

/** @throws Refusal 404 */
async function change(
  transaction: Transaction,
  id: string,
  make: (before: StoredProduct) => Promise<Refused | undefined>,
): Promise<Edit | Refused> {
  await lockCatalogue(transaction);
  const before = await requireProduct(transaction, id);
  const refusal = await make(before);
  if (refusal) return refusal;
  const after = (await storedProduct(transaction, id)) ?? before;
  if (after.version !== before.version) await markCatalogueChanged(transaction);
  return { before, after };
}

const POSITION = q.selectFrom('products').select('position').orderBy('position', 'desc');

const positionOf = (db: Reader, id: string) => db.row(POSITION.where('id', '=', id));

/** Makes room: every product at this position or after it moves by one. */
const shift = (transaction: Transaction, position: number): Promise<number> =>
  transaction.run(
    q
      .updateTable('products')
      .set(({ eb }) => ({ position: eb('position', '+', 1) }))
      .where('position', '>=', position),
  );

export const saveProduct = (
  transaction: Transaction,
  id: string,
  input: ProductInput,
): Promise<Edit | Refused> =>
  change(transaction, id, async ({ product }) => {
    const { createdAt } = product;
    const checked = await checkProduct(transaction, { createdAt, ...input, id });
    if ('errors' in checked) return checked;
    if (isDeepStrictEqual(checked.product, product)) return undefined;
    await replaceProduct(transaction, checked.product);
    const kept = new Set(picturesOf(checked.product));
    await removePictures(
      transaction,
      picturesOf(product).filter((picture) => !kept.has(picture)),
    );
    return undefined;
  });

/** Discontinues a product, or brings it back to its old place. */
export const discontinueProduct = (
  transaction: Transaction,
  id: string,
  isDiscontinued: boolean,
): Promise<Edit | Refused> =>
  change(transaction, id, async ({ product, isDiscontinued: wasDiscontinued }) => {
    const errors = isDiscontinued ? {} : await pictureErrors(transaction, product);
    if (Object.keys(errors).length > 0) return { errors };
    if (isDiscontinued === wasDiscontinued) return undefined;
    // Another product may be at its place by now.
    const place = isDiscontinued ? undefined : await positionOf(transaction, id);
    if (place) await shift(transaction, place.position);
    await setDiscontinued(transaction, id, isDiscontinued);
    return undefined;
  });

/** Makes room after the last product of the category, or after all. Returns the position. */
async function makeRoom(transaction: Transaction, category: string): Promise<number> {
  const places = await transaction.rows(POSITION.select('dto').where('discontinued', '=', 0), {
    dto: json(v.object({ category: v.string() })),
  });
  const last = places.find(({ dto }) => dto.category === category) ?? places[0];
  const position = (last?.position ?? -1) + 1;
  await shift(transaction, position);
  return position;
}

/** Stores a new product. Without an id, one is made from its title. @param now an ISO time */
export async function createProduct(
  transaction: Transaction,
  input: ProductInput,
  now: string,
): Promise<{ readonly product: CatalogueProduct } | Refused> {
  await lockCatalogue(transaction);
  const id = input.id || (await freeId(transaction, String(input.title ?? '')));
  const checked = await checkProduct(transaction, { createdAt: now, ...input, id });
  if ('errors' in checked) return checked;
  const { product } = checked;
  if (await isIdTaken(transaction, product.id)) return { errors: { id: 'is taken by another product' } };
  await storeProduct(transaction, product, await makeRoom(transaction, product.category));
  await markCatalogueChanged(transaction);
  return { product };
}

/** Moves a product before another one, or after all. Returns false if one of them does not exist. */
export async function moveProduct(
  transaction: Transaction,
  id: string,
  before: string | undefined,
): Promise<boolean> {
  await lockCatalogue(transaction);
  const place =
    before === undefined ? await transaction.row(POSITION.limit(1)) : await positionOf(transaction, before);
  if (!place || !(await positionOf(transaction, id))) return false;
  if (before === id) return true;
  const position = before === undefined ? place.position + 1 : place.position;
  await shift(transaction, position);
  await setPosition(transaction, id, position);
  await markCatalogueChanged(transaction);
  return true;
}
