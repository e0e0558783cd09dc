import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { pictureNames } from '#scripts/api/pictures/stored-pictures.ts';
import { picturesOfStore, storedStore } from '#scripts/api/store/stored-store.ts';
import { picturesOf, storedProducts } from './stored-products.ts';

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
