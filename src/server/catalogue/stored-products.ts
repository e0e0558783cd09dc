import * as v from 'valibot';
import { toPaise } from '#domain/money.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { isReserved } from '#server/http/names.ts';
import { pictureNames } from '#server/pictures/stored-pictures.ts';
import { picturesOfStore, storedStore } from '#server/store/stored-store.ts';
import { type CatalogueProduct, ProductSchema } from './schema.ts';

/** The pictures that neither the store nor any product shows. Products that are not on sale may come back. */
export async function unusedPictures(db: Reader): Promise<string[]> {
  const store = await storedStore(db);
  const products = await storedProducts(db);
  const used = new Set([
    ...(store ? picturesOfStore(store) : []),
    ...products.flatMap(({ product }) => picturesOf(product)),
  ]);
  return (await pictureNames(db)).filter((name) => !used.has(name));
}

/** Deletes those of the named pictures that nothing shows. Returns their names. */
export async function removePictures(transaction: Transaction, names: readonly string[]): Promise<string[]> {
  const unused = new Set(await unusedPictures(transaction));
  const removed = names.filter((name) => unused.has(name));
  for (const name of removed) await transaction.run('DELETE FROM pictures WHERE name = ?', name);
  return removed;
}

export interface StoredProduct {
  /** Its pictures are file names. */
  readonly product: CatalogueProduct;
  /** Counts its changes, from 1. */
  readonly version: number;
  readonly isOnSale: boolean;
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
      isOnSale: discontinued === 0,
    }),
  ),
);

export const storedProduct = (db: Reader, id: string): Promise<StoredProduct | undefined> =>
  db.get(RowSchema, `SELECT ${COLUMNS} FROM products WHERE id = ?`, id);

/** Every product, in the order of the shop. Those that are not on sale stand among them where they would be. */
export const storedProducts = (db: Reader): Promise<StoredProduct[]> =>
  db.all(RowSchema, `SELECT ${COLUMNS} FROM products ORDER BY position, id`);

/** The discounted price where there is one, else the regular one, whenever it counts. */
export const sellingPrice = ({
  regularPrice,
  discountedPrice,
}: Pick<CatalogueProduct, 'regularPrice' | 'discountedPrice'>): number =>
  toPaise(discountedPrice ? discountedPrice : regularPrice);

/**
 * Stores a product: a new one at the position, or the changed one of this id, which keeps its own. `unit_paise` is for the
 * previous version of the program, which charges it; this one takes the price of the moment from `dto`.
 */
export const storeProduct = (
  transaction: Transaction,
  product: CatalogueProduct,
  position: number,
  isOnSale = true,
): Promise<number> =>
  transaction.run(
    `INSERT INTO products (id, position, discontinued, title, unit_paise, dto) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET discontinued = excluded.discontinued, title = excluded.title, unit_paise = excluded.unit_paise,
       dto = excluded.dto, version = products.version + 1`,
    product.id,
    position,
    isOnSale ? 0 : 1,
    product.title,
    sellingPrice(product),
    JSON.stringify(product),
  );

/** Changes a product, whether it is on sale or not. */
export const replaceProduct = (transaction: Transaction, product: CatalogueProduct): Promise<number> =>
  transaction.run(
    'UPDATE products SET title = ?, unit_paise = ?, dto = ?, version = version + 1 WHERE id = ?',
    product.title,
    sellingPrice(product),
    JSON.stringify(product),
    product.id,
  );

/** Takes a product out of sale, or brings it back. Its row stays in any case, because orders refer to it. */
export const setOnSale = (transaction: Transaction, id: string, isOnSale: boolean): Promise<number> =>
  transaction.run(
    'UPDATE products SET discontinued = ?, version = version + 1 WHERE id = ?',
    isOnSale ? 0 : 1,
    id,
  );

export const picturesOf = ({ imgUrl, images }: CatalogueProduct): string[] => [
  imgUrl,
  ...images.map(({ url }) => url),
];

const LONGEST = 60;

const IdSchema = v.object({ id: v.string() });

/** A title as a part of an address, such as `alphonso-mango-box-of-6`; '' for one without Latin letters and digits. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');

/** On some disks the pages of 'A1' and 'a1' would be one file. Products that are not on sale count, too. */
export const isIdTaken = async (db: Reader, id: string): Promise<boolean> =>
  (await db.get(IdSchema, 'SELECT id FROM products WHERE lower(id) = ?', id.toLowerCase())) !== undefined;

/** An id for a new product, made from its title. */
export async function freeId(db: Reader, title: string): Promise<string> {
  const slug = slugOf(title) || 'product';
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? slug : `${slug}-${number}`;
    if (!isReserved(id) && !(await isIdTaken(db, id))) return id;
  }
}
