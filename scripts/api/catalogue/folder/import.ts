import { isDeepStrictEqual } from 'node:util';
import type { CatalogueProduct } from '#scripts/api/catalogue/schema.ts';
import {
  type StoredProduct,
  splitBySale,
  storedProducts,
  storeProduct,
} from '#scripts/api/catalogue/stored-products.ts';
import type { Database, Transaction } from '#scripts/api/db/database.ts';
import { setMeta } from '#scripts/api/db/meta.ts';
import { lockCatalogue, markCatalogueChanged } from '#scripts/api/shop/catalogue-version.ts';
import { storedStore } from '#scripts/api/store/stored-store.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import {
  type Catalogue,
  lostParts,
  namedParts,
  type Parts,
  partsOf,
  sharedParts,
  shareParts,
  withOutOfSale,
  withoutPictures,
} from './folder-parts.ts';
import { type Prepared, storePictures, withPreparedPictures } from './pictures.ts';
import { type CatalogueContent, CatalogueError } from './read.ts';

export interface ImportResult {
  /** Whether anything of the catalogue has changed. */
  readonly changed: boolean;
  /** How many are on sale. */
  readonly products: number;
  /** How many are no longer on sale. */
  readonly gone: number;
}

/** @throws CatalogueError where two ids could be one file: 'A1' and 'a1' (faults 60) */
function requireDistinct({ products }: Catalogue): void {
  const ids = new Map<string, string>();
  for (const { id } of products) {
    const other = ids.get(id.toLowerCase());
    if (other !== undefined)
      throw new CatalogueError('the folder', [`the id ${other} is taken by ${id} in the database`]);
    ids.set(id.toLowerCase(), id);
  }
}

/** @throws ExplainedError where the import would undo what was changed in the database since the last export or import */
function requireExported(before: Parts, database: Catalogue, folder: Parts): void {
  const lost = lostParts(withoutPictures(before), partsOf(database), folder);
  if (lost.length === 0) return;
  throw new ExplainedError(
    `Nothing was changed. The shop was edited after the last export, and the folder does not have that yet:\n${namedParts(lost, database)}\nExport, merge, import: 'npm run catalogue -- export' writes it into files (scripts/catalogue/README.md).`,
  );
}

async function storeProducts(
  transaction: Transaction,
  stored: readonly StoredProduct[],
  { products, outOfSale }: Pick<Catalogue, 'products' | 'outOfSale'>,
): Promise<boolean> {
  const before = new Map(stored.map((each) => [each.product.id, each]));
  const isSame = (product: CatalogueProduct): boolean => {
    const other = before.get(product.id);
    return (
      other !== undefined &&
      other.isOnSale !== outOfSale.has(product.id) &&
      isDeepStrictEqual(other.product, product)
    );
  };
  let hasChanged = false;
  for (const [position, product] of products.entries()) {
    if (isSame(product)) continue;
    await storeProduct(transaction, product, position, !outOfSale.has(product.id));
    hasChanged = true;
  }
  const order = products.map(({ id }) => id);
  if (isDeepStrictEqual(order, [...before.keys()])) return hasChanged;
  for (const [position, id] of order.entries()) {
    if (before.has(id)) await transaction.run('UPDATE products SET position = ? WHERE id = ?', position, id);
  }
  return true;
}

async function replaceCatalogue(
  transaction: Transaction,
  content: CatalogueContent,
  pictures: readonly Prepared[],
): Promise<ImportResult> {
  await lockCatalogue(transaction);
  const before = await sharedParts(transaction);
  const stored = await storedProducts(transaction);
  const store = await storedStore(transaction);
  const folder = withOutOfSale(content, splitBySale(stored).products);
  requireDistinct(folder);
  const parts = partsOf(folder);
  if (store) requireExported(before, { ...splitBySale(stored), storeInfo: store, pictures: [] }, parts);
  const hasProducts = await storeProducts(transaction, stored, folder);
  const hasStore = !isDeepStrictEqual(folder.storeInfo, store);
  if (hasStore) await setMeta(transaction, 'store_info', JSON.stringify(folder.storeInfo));
  const hasPictures = await storePictures(transaction, pictures, before);
  await shareParts(transaction, parts);
  const changed = hasProducts || hasStore || hasPictures;
  if (changed) await markCatalogueChanged(transaction);
  const isLeft = ({ product, isOnSale }: StoredProduct) => isOnSale && folder.outOfSale.has(product.id);
  return {
    changed,
    products: folder.products.length - folder.outOfSale.size,
    gone: stored.filter(isLeft).length,
  };
}

/**
 * Replaces the stored catalogue by a folder's, in one transaction. Users and orders stay as they are.
 * @throws ExplainedError where the database holds changes that neither the folder has nor an export has written; then
 * nothing is changed
 */
export async function importCatalogue(db: Database, content: CatalogueContent): Promise<ImportResult> {
  return withPreparedPictures(db, content.pictures, await sharedParts(db), (pictures) =>
    db.write((transaction) => replaceCatalogue(transaction, content, pictures)),
  );
}
