import { sql, type Updateable } from 'kysely';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { isReserved } from '#server/http/names.ts';
import { Refusal } from '#server/http/refusal.ts';
import { type CatalogueProduct, CatalogueProductSchema } from './schema.ts';

export interface StoredProduct {
  readonly product: CatalogueProduct;
  readonly isDiscontinued: boolean;
}

const PRODUCT = q.selectFrom('products').select(['dto as product', 'discontinued']);

const PRODUCT_JSON = { product: json(CatalogueProductSchema) };

const stored = ({ discontinued, product }: RowOf<typeof PRODUCT, typeof PRODUCT_JSON>): StoredProduct => ({
  product,
  isDiscontinued: discontinued === 1,
});

/** Compares products as they are stored: without undefined fields. */
export const isSameProduct = (one: CatalogueProduct, other: CatalogueProduct): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** @throws Refusal 404 */
export async function requireProduct(db: Reader, id: string): Promise<StoredProduct> {
  const row = await db.row(PRODUCT.where('id', '=', id), PRODUCT_JSON);
  if (!row) throw new Refusal(404, 'There is no such product.');
  return stored(row);
}

/** Returns every product in the order of the shop. Discontinued ones keep their place. */
export const storedProducts = async (db: Reader): Promise<StoredProduct[]> =>
  (await db.rows(PRODUCT.orderBy('position').orderBy('id'), PRODUCT_JSON)).map(stored);

/** Stores a new product at the position, or replaces the product of this id at its own position. */
export function storeProduct(
  transaction: Transaction,
  product: CatalogueProduct,
  position: number,
  isDiscontinued = false,
): Promise<number> {
  const columns = { dto: JSON.stringify(product), discontinued: Number(isDiscontinued) };
  const insert = q.insertInto('products').values({ id: product.id, position, ...columns });
  return transaction.run(insert.onConflict((row) => row.column('id').doUpdateSet(columns)));
}

/** The row of a discontinued product stays, because orders refer to it. */
export const updateProduct = (
  transaction: Transaction,
  id: string,
  columns: Updateable<Tables['products']>,
): Promise<number> => transaction.run(q.updateTable('products').set(columns).where('id', '=', id));

export const replaceProduct = (transaction: Transaction, product: CatalogueProduct): Promise<number> =>
  updateProduct(transaction, product.id, { dto: JSON.stringify(product) });

export const picturesOf = ({ imgUrl, images }: CatalogueProduct): string[] => [
  imgUrl,
  ...images.map(({ url }) => url),
];

const MAX_ID_LENGTH = 60;

/** Returns a slug such as `alphonso-mango-box-of-6`; '' for a title without Latin letters and digits. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_ID_LENGTH)
    .replace(/^-+|-+$/g, '');

/** Ignores case, because the pages of 'A1' and 'a1' would be one file on some disks. Includes discontinued products. */
const isIdTaken = async (db: Reader, id: string): Promise<boolean> =>
  (await db.row(sql`SELECT id FROM products WHERE lower(id) = ${id.toLowerCase()}`)) !== undefined;

/** Returns an unused id made from the title. */
export async function freeId(db: Reader, title: string): Promise<string> {
  const slug = slugOf(title) || 'product';
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? slug : `${slug}-${number}`;
    if (!isReserved(id) && !(await isIdTaken(db, id))) return id;
  }
}
