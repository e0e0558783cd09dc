import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { toPaise } from '#domain/money.ts';
import type { Database, Reader, Transaction } from '#scripts/api/db/database.ts';
import type { WireProduct } from '#scripts/api/schema/product.ts';
import type { CatalogueContent, Picture } from './read.ts';

export interface ImportResult {
  readonly changed: boolean;
  readonly products: number;
  /** How many are no longer sold. They stay in the database, because orders name them. */
  readonly gone: number;
}

/** The discounted price where there is one, else the regular one (resolutions 11). A product at 0 cannot be bought. */
export const unitPaise = ({ regularPrice, discountedPrice }: WireProduct): number =>
  toPaise(discountedPrice ? discountedPrice : regularPrice);

const VersionSchema = v.object({ value: v.string() });

const VERSION = "SELECT value FROM meta WHERE name = 'catalogue_version'";

export const storedVersion = async (db: Reader): Promise<string | undefined> =>
  (await db.get(VersionSchema, VERSION))?.value;

const setMeta = (transaction: Transaction, name: string, value: string): Promise<number> =>
  transaction.run(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );

const IdSchema = v.object({ id: v.string() });

/** Marks what the catalogue has no longer. Returns how many products that are. */
async function markGone(transaction: Transaction, products: readonly WireProduct[]): Promise<number> {
  const listed = new Set(products.map(({ id }) => id));
  const onSale = await transaction.all(IdSchema, 'SELECT id FROM products WHERE gone = 0');
  const gone = onSale.filter(({ id }) => !listed.has(id));
  for (const { id } of gone) await transaction.run('UPDATE products SET gone = 1 WHERE id = ?', id);
  return gone.length;
}

const PictureRowSchema = v.object({ name: v.string(), etag: v.string() });

/** Stores the pictures that are new or have changed, so that every process of the API can send them. */
async function storePictures(transaction: Transaction, pictures: readonly Picture[]): Promise<void> {
  const rows = await transaction.all(PictureRowSchema, 'SELECT name, etag FROM pictures');
  const stored = new Map(rows.map(({ name, etag }) => [name, etag]));
  for (const { name, file, etag } of pictures) {
    if (stored.get(name) !== etag) {
      await transaction.run(
        `INSERT INTO pictures VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET etag = excluded.etag, bytes = excluded.bytes`,
        name,
        etag,
        readFileSync(file),
      );
    }
    stored.delete(name);
  }
  for (const name of stored.keys()) await transaction.run('DELETE FROM pictures WHERE name = ?', name);
}

/** Puts a catalogue on sale in one transaction. Users and orders stay as they are. */
export function importCatalogue(
  db: Database,
  { products, storeInfo, pictures, version }: CatalogueContent,
): Promise<ImportResult> {
  return db.write(async (transaction) => {
    const stored = await transaction.get(VersionSchema, `${VERSION} FOR NO KEY UPDATE`);
    if (stored?.value === version) return { changed: false, products: products.length, gone: 0 };
    for (const [position, product] of products.entries()) {
      await transaction.run(
        `INSERT INTO products (id, position, gone, title, unit_paise, wire) VALUES (?, ?, 0, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET position = excluded.position, gone = 0, title = excluded.title,
           unit_paise = excluded.unit_paise, wire = excluded.wire`,
        product.id,
        position,
        product.title,
        unitPaise(product),
        JSON.stringify(product),
      );
    }
    const gone = await markGone(transaction, products);
    await storePictures(transaction, pictures);
    await setMeta(transaction, 'store_info', JSON.stringify(storeInfo));
    await setMeta(transaction, 'catalogue_version', version);
    return { changed: true, products: products.length, gone };
  });
}
