import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { ProductSchema, type WireProduct } from '#scripts/api/catalogue/schema.ts';
import { picturesOf, putOnSale, setOnSale } from '#scripts/api/catalogue/stored-products.ts';
import type { Database, Reader, Transaction } from '#scripts/api/db/database.ts';
import { setMeta } from '#scripts/api/db/meta.ts';
import { lockCatalogue, markCatalogueChanged } from '#scripts/api/shop/catalogue-version.ts';
import { orderedStore, picturesOfStore, storedStore } from '#scripts/api/store/stored-store.ts';
import { CatalogueConflicts } from './conflicts.ts';
import { rememberImported } from './imported.ts';
import { mergeOrder, mergeParts, type Parts, type Take } from './merge.ts';
import {
  type CatalogueParts,
  databaseParts,
  folderParts,
  importedParts,
  picturePart,
  productPart,
  storeOf,
} from './parts.ts';
import { type CatalogueContent, CatalogueError, type Picture } from './read.ts';

export interface ImportResult {
  /** Whether anything that is on sale has changed. */
  readonly changed: boolean;
  readonly products: number;
  /** How many are no longer sold. They stay in the database, because orders name them. */
  readonly gone: number;
}

const WireRowSchema = v.object({ wire: v.pipe(v.string(), v.parseJson()) });

/** The pictures of products that are not on sale, so that these can come back. */
async function picturesOfGone(db: Reader): Promise<string[]> {
  const rows = await db.all(WireRowSchema, 'SELECT wire FROM products WHERE gone = 1');
  return rows.flatMap(({ wire }) => (v.is(ProductSchema, wire) ? picturesOf(wire) : []));
}

/** Adds to the merged parts the pictures that they show, though one side has deleted them. */
async function withUsedPictures(db: Reader, merged: Parts, sides: readonly Parts[]): Promise<Parts> {
  const products = [...merged].filter(([name]) => name === productPart(name.slice(name.indexOf('/') + 1)));
  const used = [
    ...products.flatMap(([, text]) => {
      const product: unknown = JSON.parse(text);
      return v.is(ProductSchema, product) ? picturesOf(product) : [];
    }),
    ...picturesOfStore(storeOf(merged)),
    ...(await picturesOfGone(db)),
  ];
  const complete = new Map(merged);
  for (const part of used.map(picturePart)) {
    const etag = sides.map((side) => side.get(part)).find((found) => found !== undefined);
    if (!complete.has(part) && etag !== undefined) complete.set(part, etag);
  }
  return complete;
}

const PositionRowSchema = v.object({ id: v.string(), position: v.number() });

/** Returns how many positions have changed. */
async function storeOrder(transaction: Transaction, order: readonly string[]): Promise<number> {
  const rows = await transaction.all(PositionRowSchema, 'SELECT id, position FROM products WHERE gone = 0');
  const positions = new Map(rows.map(({ id, position }) => [id, position]));
  const isSorted = order.every(
    (id, at) => at === 0 || (positions.get(order[at - 1] ?? '') ?? 0) < (positions.get(id) ?? 0),
  );
  if (isSorted) return 0;
  for (const [position, id] of order.entries()) {
    if (positions.get(id) === position) continue;
    await transaction.run('UPDATE products SET position = ? WHERE id = ?', position, id);
  }
  return order.length;
}

/** Puts the merged products on sale. What differs from the database is the folder's. Returns whether anything changed. */
async function storeProducts(
  transaction: Transaction,
  products: readonly WireProduct[],
  database: CatalogueParts,
  merged: Parts,
  order: readonly string[],
): Promise<{ changed: boolean; gone: number }> {
  const positions = new Map(order.map((id, position) => [id, position]));
  let changes = 0;
  for (const product of products) {
    const part = productPart(product.id);
    if (!merged.has(part) || merged.get(part) === database.parts.get(part)) continue;
    await putOnSale(transaction, product, positions.get(product.id) ?? 0);
    changes += 1;
  }
  const gone = database.order.filter((id) => !merged.has(productPart(id)));
  for (const id of gone) await setOnSale(transaction, id, false);
  changes += await storeOrder(transaction, order);
  return { changed: changes + gone.length > 0, gone: gone.length };
}

/** Stores the pictures, so that every process of the API can send them. Returns whether any has changed. */
async function storePictures(
  transaction: Transaction,
  pictures: readonly Picture[],
  database: Parts,
  merged: Parts,
): Promise<boolean> {
  let changed = false;
  for (const { name, file, etag } of pictures) {
    const part = picturePart(name);
    if (!merged.has(part) || merged.get(part) === database.get(part)) continue;
    await transaction.run(
      `INSERT INTO pictures (name, etag, bytes) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET etag = excluded.etag, bytes = excluded.bytes`,
      name,
      etag,
      readFileSync(file),
    );
    changed = true;
  }
  for (const part of database.keys()) {
    const name = part.slice(part.indexOf('/') + 1);
    if (part !== picturePart(name) || merged.has(part)) continue;
    await transaction.run('DELETE FROM pictures WHERE name = ?', name);
    changed = true;
  }
  return changed;
}

/** On some disks the pages of 'A1' and 'a1' would be one file (faults 60). @throws CatalogueError */
function requireDistinct(order: readonly string[]): void {
  const ids = new Map<string, string>();
  for (const id of order) {
    const other = ids.get(id.toLowerCase());
    if (other !== undefined) {
      throw new CatalogueError('the folder', [`the id ${id} is taken by ${other} in the database`]);
    }
    ids.set(id.toLowerCase(), id);
  }
}

/**
 * Merges a catalogue's folder with what is on sale, in one transaction: what one of them has changed since the last import
 * is taken. Users and orders stay as they are.
 * @param take decides where both have changed
 * @throws CatalogueConflicts where nobody decides; then nothing is changed
 */
export function importCatalogue(
  db: Database,
  content: CatalogueContent,
  take: Take = () => undefined,
): Promise<ImportResult> {
  const folder = folderParts(content);
  return db.write(async (transaction) => {
    const isFirst = !(await lockCatalogue(transaction));
    const imported = await importedParts(transaction);
    const database = await databaseParts(transaction);
    const sides = { imported: imported.parts, database: database.parts, folder: folder.parts };
    const { merged: chosen, conflicts } = mergeParts(sides, take);
    if (conflicts.length > 0) throw new CatalogueConflicts(conflicts);
    const merged = await withUsedPictures(transaction, chosen, [database.parts, folder.parts]);
    const ids = new Set([...database.order, ...folder.order].filter((id) => merged.has(productPart(id))));
    const { order, conflict } = mergeOrder(
      { imported: imported.order, database: database.order, folder: folder.order },
      ids,
      take,
    );
    if (conflict) throw new CatalogueConflicts([conflict]);
    requireDistinct(order);

    const products = await storeProducts(transaction, content.products, database, merged, order);
    const hasPictures = await storePictures(transaction, content.pictures, database.parts, merged);
    const store = JSON.stringify(orderedStore(storeOf(merged)));
    const hasStore = store !== JSON.stringify(await storedStore(transaction));
    if (hasStore) await setMeta(transaction, 'store_info', store);
    await rememberImported(transaction, content, imported);
    const changed = isFirst || products.changed || hasPictures || hasStore;
    if (changed) await markCatalogueChanged(transaction);
    return { changed, products: order.length, gone: products.gone };
  });
}
