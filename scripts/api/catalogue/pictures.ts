import * as v from 'valibot';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import type { WireProduct } from '#scripts/api/schema/product.ts';
import type { WireStoreInfo } from '#scripts/api/schema/store.ts';
import { isImageName, isRemote } from './images.ts';
import type { PreparedPicture } from './prepare-picture.ts';
import { storedProducts } from './stored-products.ts';
import { storedStore } from './stored-store.ts';

const NameSchema = v.object({ name: v.string() });

export const picturesOf = ({ imgUrl, images }: WireProduct): string[] => [
  imgUrl,
  ...images.map(({ url }) => url),
];

export const picturesOfStore = ({ companyLogoUrl, categoryImages }: WireStoreInfo): string[] =>
  [companyLogoUrl, ...Object.values(categoryImages)].filter((picture) => picture !== '');

/** Which of the pictures are neither stored here nor at another host. */
export async function missingPictures(db: Reader, pictures: readonly string[]): Promise<ReadonlySet<string>> {
  const local = pictures.filter((picture) => !isRemote(picture));
  const names = local.filter(isImageName);
  const rows =
    names.length === 0
      ? []
      : await db.all(
          NameSchema,
          `SELECT name FROM pictures WHERE name IN (${names.map(() => '?').join()})`,
          ...names,
        );
  const stored = new Set(rows.map(({ name }) => name));
  return new Set(local.filter((name) => !stored.has(name)));
}

/** Stores a picture. Its name is made from its bytes, so one that is stored already is the same picture. */
export async function addPicture(
  transaction: Transaction,
  { name, etag, bytes }: PreparedPicture,
): Promise<void> {
  await transaction.run(
    'INSERT INTO pictures (name, etag, bytes) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
    name,
    etag,
    bytes,
  );
}

export const pictureNames = async (db: Reader): Promise<string[]> =>
  (await db.all(NameSchema, 'SELECT name FROM pictures ORDER BY name')).map(({ name }) => name);

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
