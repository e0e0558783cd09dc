import * as v from 'valibot';
import type { Errors } from '#server/admin/forms/field.ts';
import { type CatalogueProduct, CatalogueProductSchema, leastFits } from '#server/catalogue/schema.ts';
import {
  freeId,
  isSameProduct,
  picturesOf,
  replaceProduct,
  requireProduct,
  storeProduct,
  updateProduct,
} from '#server/catalogue/stored-products.ts';
import { lockCatalogue, markCatalogueChanged } from '#server/db/catalogue-version.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { missingPictures, removePictures } from '#server/pictures/stored-pictures.ts';

/** Error texts by the field of the form. */
interface Refused {
  readonly errors: Errors;
}

/** The fields of a product, not validated yet. */
export type ProductInput = Readonly<Record<string, unknown>>;

type Checked = { readonly product: CatalogueProduct } | Refused;

/** Validates a product like `saveProduct` and `createProduct`. Changes nothing. */
export async function checkProduct(db: Reader, input: ProductInput): Promise<Checked> {
  const { success, output, issues } = v.safeParse(CatalogueProductSchema, input);
  if (!success) {
    const wrong = issues.map((issue) => [v.getDotPath(issue) ?? '', issue.message] as const);
    // Reversed, so that the first error of a field wins.
    return { errors: new Map(wrong.toReversed().map(([path, message]) => [path, `${path} ${message}`])) };
  }
  if (!leastFits(output))
    return { errors: new Map([['maxPerOrder', 'At most in one order must not be below the least']]) };
  const [missing] = await missingPictures(db, picturesOf(output));
  return missing === undefined
    ? { product: output }
    : { errors: new Map([['pictures', `Pictures: there is no picture '${missing}'`]]) };
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

/** @throws Refusal 404 */
export async function saveProduct(
  transaction: Transaction,
  id: string,
  input: ProductInput,
): Promise<Checked> {
  await lockCatalogue(transaction);
  const { product: before } = await requireProduct(transaction, id);
  const checked = await checkProduct(transaction, { createdAt: before.createdAt, ...input, id });
  if ('errors' in checked || isSameProduct(checked.product, before)) return checked;
  await replaceProduct(transaction, checked.product);
  const kept = picturesOf(checked.product);
  await removePictures(
    transaction,
    picturesOf(before).filter((picture) => !kept.includes(picture)),
  );
  await markCatalogueChanged(transaction);
  return checked;
}

/** Discontinues a product, or brings it back to its old place. Call it after `lockCatalogue`. */
export async function discontinueProduct(
  transaction: Transaction,
  product: CatalogueProduct,
  isDiscontinued: boolean,
): Promise<Checked> {
  const checked = isDiscontinued ? { product } : await checkProduct(transaction, product);
  if ('errors' in checked) return checked;
  // Another product may be at its place by now.
  const place = isDiscontinued ? undefined : await positionOf(transaction, product.id);
  if (place) await shift(transaction, place.position);
  await updateProduct(transaction, product.id, { discontinued: Number(isDiscontinued) });
  await markCatalogueChanged(transaction);
  return checked;
}

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

/** Stores a new product under an id from its title. @param now an ISO time */
export async function createProduct(
  transaction: Transaction,
  input: ProductInput,
  now: string,
): Promise<Checked> {
  await lockCatalogue(transaction);
  const id = await freeId(transaction, String(input.title ?? ''));
  const checked = await checkProduct(transaction, { createdAt: now, ...input, id });
  if ('errors' in checked) return checked;
  const { product } = checked;
  await storeProduct(transaction, product, await makeRoom(transaction, product.category));
  await markCatalogueChanged(transaction);
  return { product };
}

/** Moves a product before another one, or after all. */
export async function moveProduct(
  transaction: Transaction,
  id: string,
  before: string | undefined,
): Promise<void> {
  await lockCatalogue(transaction);
  const last = await transaction.row(POSITION.limit(1));
  const place = before === undefined ? undefined : await positionOf(transaction, before);
  const position = place?.position ?? (last?.position ?? -1) + 1;
  await shift(transaction, position);
  await updateProduct(transaction, id, { position });
  await markCatalogueChanged(transaction);
}
