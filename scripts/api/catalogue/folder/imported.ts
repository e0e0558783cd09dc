import type { Transaction } from '#scripts/api/db/database.ts';
import { setMeta } from '#scripts/api/db/meta.ts';
import { type CatalogueParts, picturePart, productPart } from './parts.ts';
import type { CatalogueContent } from './read.ts';

/** Remembers what the folder holds now, so that the next import can tell which side has changed since. */
export async function rememberImported(
  transaction: Transaction,
  {
    products,
    pictures,
    storeInfo,
  }: Pick<CatalogueContent, 'products' | 'storeInfo'> & {
    readonly pictures: readonly { readonly name: string; readonly etag: string }[];
  },
  before: CatalogueParts,
): Promise<void> {
  const left = new Set(before.parts.keys());
  for (const [position, product] of products.entries()) {
    const part = productPart(product.id);
    const wire = JSON.stringify(product);
    left.delete(part);
    if (before.parts.get(part) === wire && before.order[position] === product.id) continue;
    await transaction.run(
      `INSERT INTO imported_products (id, position, wire) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET position = excluded.position, wire = excluded.wire`,
      product.id,
      position,
      wire,
    );
  }
  for (const { name, etag } of pictures) {
    const part = picturePart(name);
    left.delete(part);
    if (before.parts.get(part) === etag) continue;
    await transaction.run(
      `INSERT INTO imported_pictures (name, etag) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET etag = excluded.etag`,
      name,
      etag,
    );
  }
  for (const part of left) {
    const name = part.slice(part.indexOf('/') + 1);
    if (part === productPart(name)) await transaction.run('DELETE FROM imported_products WHERE id = ?', name);
    if (part === picturePart(name))
      await transaction.run('DELETE FROM imported_pictures WHERE name = ?', name);
  }
  await setMeta(transaction, 'store_imported', JSON.stringify(storeInfo));
}
