import * as v from 'valibot';
import { toPaise } from '#domain/money.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { isReserved } from '#server/http/names.ts';
import { pictureNames } from '#server/pictures/stored-pictures.ts';
import { picturesOfStore, storedStore } from '#server/store/stored-store.ts';
import { type CatalogueProduct, ProductSchema } from './schema.ts';

/** Returns the pictures of no product and not of the store. Discontinued products keep theirs. */
export async function unusedPictures(db: Reader): Promise<string[]> {
  const store = await storedStore(db);
  const products = await storedProducts(db);
  const used = new Set([
    ...(store ? picturesOfStore(store) : []),
    ...products.flatMap(({ product }) => picturesOf(product)),
  ]);
  return (await pictureNames(db)).filter((name) => !used.has(name));
}

/** Deletes the named pictures that are unused. Returns their names. */
export async function removePictures(transaction: Transaction, names: readonly string[]): Promise<string[]> {
  const unused = new Set(await unusedPictures(transaction));
  const removed = names.filter((name) => unused.has(name));
  for (const name of removed) await transaction.run('DELETE FROM pictures WHERE name = ?', name);
  return removed;
}

export interface StoredProduct {
  readonly product: CatalogueProduct;
  /** Counts the changes, from 1. */
  readonly version: number;
  readonly isDiscontinued: boolean;
}

const COLUMNS = 'dto, version, discontinued';

const RowSchema = v.pipe(
  v.object({
    dto: v.pipe(v.string(), v.parseJson(), ProductSchema),
    version: v.number(),
    discontinued: v.number(),
  }),
  v.transform(
    ({ dto, version, discontinued }): StoredProduct => ({
      product: dto,
      version,
      isDiscontinued: discontinued === 1,
    }),
  ),
);

export const storedProduct = (db: Reader, id: string): Promise<StoredProduct | undefined> =>
  db.get(RowSchema, `SELECT ${COLUMNS} FROM products WHERE id = ?`, id);

/** Returns every product in the order of the shop. Discontinued ones keep their place. */
export const storedProducts = (db: Reader): Promise<StoredProduct[]> =>
  db.all(RowSchema, `SELECT ${COLUMNS} FROM products ORDER BY position, id`);

/** Returns the discounted price, else the regular one, whatever the time of the sale. Units: paise. */
export const sellingPrice = ({
  regularPrice,
  discountedPrice,
}: Pick<CatalogueProduct, 'regularPrice' | 'discountedPrice'>): number =>
  toPaise(discountedPrice ? discountedPrice : regularPrice);

/**
 * Stores a new product at the position, or replaces the product of this id at its own position. Only the previous version
 * of the server reads `unit_paise`; this one charges the price of the moment from `dto`.
 */
export const storeProduct = (
  transaction: Transaction,
  product: CatalogueProduct,
  position: number,
  isDiscontinued = false,
): Promise<number> =>
  transaction.run(
    `INSERT INTO products (id, position, discontinued, title, unit_paise, dto) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET discontinued = excluded.discontinued, title = excluded.title, unit_paise = excluded.unit_paise,
       dto = excluded.dto, version = products.version + 1`,
    product.id,
    position,
    isDiscontinued ? 1 : 0,
    product.title,
    sellingPrice(product),
    JSON.stringify(product),
  );

export const replaceProduct = (transaction: Transaction, product: CatalogueProduct): Promise<number> =>
  transaction.run(
    'UPDATE products SET title = ?, unit_paise = ?, dto = ?, version = version + 1 WHERE id = ?',
    product.title,
    sellingPrice(product),
    JSON.stringify(product),
    product.id,
  );

/** Discontinues a product, or brings it back. Its row stays, because orders refer to it. */
export const setDiscontinued = (
  transaction: Transaction,
  id: string,
  isDiscontinued: boolean,
): Promise<number> =>
  transaction.run(
    'UPDATE products SET discontinued = ?, version = version + 1 WHERE id = ?',
    isDiscontinued ? 1 : 0,
    id,
  );

export const picturesOf = ({ imgUrl, images }: CatalogueProduct): string[] => [
  imgUrl,
  ...images.map(({ url }) => url),
];

const LONGEST = 60;

const IdSchema = v.object({ id: v.string() });

/** Returns a slug such as `alphonso-mango-box-of-6`; '' for a title without Latin letters and digits. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');

/** Ignores case, because the pages of 'A1' and 'a1' would be one file on some disks. Includes discontinued products. */
export const isIdTaken = async (db: Reader, id: string): Promise<boolean> =>
  (await db.get(IdSchema, 'SELECT id FROM products WHERE lower(id) = ?', id.toLowerCase())) !== undefined;

/** Returns an unused id made from the title. */
export async function freeId(db: Reader, title: string): Promise<string> {
  const slug = slugOf(title) || 'product';
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? slug : `${slug}-${number}`;
    if (!isReserved(id) && !(await isIdTaken(db, id))) return id;
  }
}
