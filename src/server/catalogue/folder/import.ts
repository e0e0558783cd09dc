import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import {
  isSameProduct,
  type StoredProduct,
  storedProducts,
  storeProduct,
  updateProduct,
} from '#server/catalogue/stored-products.ts';
import {
  isCatalogueShared,
  lockCatalogue,
  markCatalogueChanged,
  markCatalogueShared,
} from '#server/db/catalogue-version.ts';
import type { Database, Transaction } from '#server/db/database.ts';
import { setMeta } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';
import { formatOf } from '#server/pictures/picture-metadata.ts';
import { isPublishable, preparePicture } from '#server/pictures/prepare-picture.ts';
import { removePictures, usedPictures } from '#server/pictures/stored-pictures.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import type { StoreInfo } from '#server/store/schema.ts';
import { storedStore, withMoved } from '#server/store/stored-store.ts';
import { type CatalogueContent, CatalogueError, type Picture, withSameFile } from './read.ts';

/**
 * Prepares the pictures of the folder like uploads: metadata of cameras is not published. Each keeps its name and format.
 * Pictures without metadata, such as exported ones, are used as they are.
 * @param temporary a folder for prepared pictures, because all together may not fit into memory
 * @throws CatalogueError with the name of each picture that cannot be used
 */
async function preparePictures(pictures: readonly Picture[], temporary: string): Promise<Picture[]> {
  const problems: string[] = [];
  const prepared: Picture[] = [];
  for (const picture of pictures) {
    const { name, file } = picture;
    const bytes = readFileSync(file);
    if (isPublishable(bytes, formatOf(name))) {
      prepared.push(picture);
      continue;
    }
    try {
      const result = await preparePicture(bytes, formatOf(name));
      const place = join(temporary, name);
      writeFileSync(place, result.bytes);
      prepared.push({ name, etag: result.etag, file: place });
    } catch (error) {
      if (!(error instanceof ExplainedError)) throw error;
      problems.push(`images/${basename(file)}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new CatalogueError('the folder', problems);
  return prepared;
}

/** Stores the pictures that differ from the stored ones. */
async function storePictures(transaction: Transaction, pictures: readonly Picture[]): Promise<void> {
  const rows = await transaction.rows(q.selectFrom('pictures').select(['name', 'etag']));
  const stored = new Map(rows.map(({ name, etag }) => [name, etag]));
  for (const { name, file, etag } of pictures) {
    if (stored.get(name) === etag) continue;
    const changed = { etag, bytes: readFileSync(file) };
    const insert = q.insertInto('pictures').values({ name, ...changed });
    await transaction.run(insert.onConflict((row) => row.column('name').doUpdateSet(changed)));
  }
}

/** Adds the stored products that the folder lacks, as discontinued: orders refer to them, so they stay stored. */
function withDiscontinued(
  { products, discontinued }: CatalogueContent,
  stored: readonly StoredProduct[],
): StoredProduct[] {
  const ids = new Set(products.map(({ id }) => id));
  const others = stored.filter(({ product }) => !ids.has(product.id));
  return [
    ...products.map((product) => ({ product, isDiscontinued: discontinued.has(product.id) })),
    ...others.map(({ product }) => ({ product, isDiscontinued: true })),
  ];
}

/** Stores only the products that differ. */
export async function storeProducts(
  transaction: Transaction,
  stored: readonly StoredProduct[],
  products: readonly StoredProduct[],
): Promise<void> {
  const before = new Map(stored.map((each) => [each.product.id, each]));
  for (const [position, { product, isDiscontinued }] of products.entries()) {
    const old = before.get(product.id);
    if (old?.isDiscontinued !== isDiscontinued || !isSameProduct(old.product, product))
      await storeProduct(transaction, product, position, isDiscontinued);
  }
  const order = products.map(({ product }) => product.id);
  if (isDeepStrictEqual(order, [...before.keys()])) return;
  for (const [position, id] of order.entries())
    if (before.has(id)) await updateProduct(transaction, id, { position });
}

/**
 * Finds the addresses that the folder changes: a product with another id but its title and time of creation, and a category
 * that is gone while its products are in a new one.
 */
function movedBy(
  { products, storeInfo }: CatalogueContent,
  all: readonly StoredProduct[],
  store: StoreInfo | undefined,
): StoreInfo['moved'] {
  const stored = all.filter(({ isDiscontinued }) => !isDiscontinued).map(({ product }) => product);
  const before = new Map(stored.map((product) => [product.id, product]));
  const ids = new Set(products.map(({ id }) => id));
  const keyOf = ({ title, createdAt }: CatalogueProduct): string => `${createdAt} ${title}`;
  const gone = new Map(stored.filter(({ id }) => !ids.has(id)).map((product) => [keyOf(product), product]));
  const namesIn = (list: readonly CatalogueProduct[]) =>
    new Set(list.flatMap(({ category, parentCategory }) => [category, parentCategory]));
  const [namesBefore, names] = [namesIn(stored), namesIn(products)];
  let moved = storeInfo.moved ?? store?.moved;
  for (const product of products) {
    const old = before.get(product.id);
    const former = old ?? gone.get(keyOf(product));
    if (!old && former) moved = withMoved(moved, 'products', former.id, product.id);
    for (const name of ['category', 'parentCategory'] as const)
      if (former && !names.has(former[name]) && !namesBefore.has(product[name]))
        moved = withMoved(moved, 'categories', former[name], product[name]);
  }
  return moved;
}

async function replaceCatalogue(
  transaction: Transaction,
  content: CatalogueContent,
  prepared: readonly Picture[],
) {
  const isFilled = await lockCatalogue(transaction);
  if (isFilled && !(await isCatalogueShared(transaction))) {
    throw new ExplainedError(
      'Nothing was changed. The shop was edited after the last export or import. Export it into a new folder first: npm run catalogue -- export FOLDER.',
    );
  }
  const stored = await storedProducts(transaction);
  const store = await storedStore(transaction);
  const shownBefore = await usedPictures(transaction);
  const products = withDiscontinued(content, stored);
  for (const [one, other] of withSameFile(products)) {
    const problem = `the id ${one?.product.id} is taken by ${other?.product.id} in the database`;
    throw new CatalogueError('the folder', [problem]);
  }
  await storeProducts(transaction, stored, products);
  const moved = movedBy(content, stored, store);
  await setMeta(
    transaction,
    'store_info',
    JSON.stringify({ ...content.storeInfo, ...(moved ? { moved } : {}) }),
  );
  await storePictures(transaction, prepared);
  const names = new Set(prepared.map(({ name }) => name));
  await removePictures(
    transaction,
    shownBefore.filter((name) => !names.has(name)),
  );
  await markCatalogueShared(transaction, await markCatalogueChanged(transaction));
  const sold = new Set(products.flatMap(({ product, isDiscontinued }) => (isDiscontinued ? [] : product.id)));
  return {
    products: sold.size,
    /** Those that this import discontinued. */
    discontinued: stored.filter(({ product, isDiscontinued }) => !isDiscontinued && !sold.has(product.id))
      .length,
  };
}

/**
 * Replaces the stored catalogue by a folder's, in one transaction. Customers and orders stay as they are.
 * @throws ExplainedError, and changes nothing, if the stored catalogue changed since the last export or import
 */
export async function importCatalogue(db: Database, content: CatalogueContent) {
  const temporary = mkdtempSync(join(tmpdir(), 'pictures-'));
  try {
    const prepared = await preparePictures(content.pictures, temporary);
    return await db.write((transaction) => replaceCatalogue(transaction, content, prepared));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
