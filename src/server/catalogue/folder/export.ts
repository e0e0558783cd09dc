import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHtml } from '#domain/policy-markdown.ts';
import { slugOf, storedProducts } from '#server/catalogue/stored-products.ts';
import { catalogueVersion, markCatalogueShared } from '#server/db/catalogue-version.ts';
import type { Database } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { usedPictures } from '#server/pictures/stored-pictures.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { storedStore } from '#server/store/stored-store.ts';
import { imageFolder, namesIn } from './read.ts';

/** Reads one version of the catalogue: reads again if it changed meanwhile. @throws ExplainedError without a catalogue */
async function readDatabase(db: Database) {
  for (;;) {
    const version = await catalogueVersion(db);
    const products = await storedProducts(db);
    const storeInfo = await storedStore(db);
    const pictures = await usedPictures(db);
    if (version === undefined || !storeInfo)
      throw new ExplainedError('The database has no catalogue yet. Start the shop first.');
    if ((await catalogueVersion(db)) === version) return { version, products, storeInfo, pictures };
  }
}

type Exported = Awaited<ReturnType<typeof readDatabase>>;

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Divides the products into files, one for each run of products of a category. The sorted file names keep the order of the shop. */
function productFiles(products: Exported['products']): ReadonlyMap<string, unknown[]> {
  const runs: { category: string; records: unknown[] }[] = [];
  for (const { product, isDiscontinued } of products) {
    const record = isDiscontinued ? { ...product, isDiscontinued } : product;
    const run = runs.at(-1);
    if (run?.category === product.category) run.records.push(record);
    else runs.push({ category: product.category, records: [record] });
  }
  const digits = Math.max(2, String(runs.length).length);
  return new Map(
    runs.map(({ category, records }, index) => [
      `${String(index).padStart(digits, '0')}-${slugOf(category) || 'products'}.json`,
      records,
    ]),
  );
}

async function writeFolder(db: Database, folder: string, { products, storeInfo, pictures }: Exported) {
  for (const part of ['products', 'policies']) mkdirSync(join(folder, part), { recursive: true });
  mkdirSync(imageFolder(folder));
  for (const name of pictures) {
    const row = await db.row(q.selectFrom('pictures').select('bytes').where('name', '=', name));
    if (row) writeFileSync(join(imageFolder(folder), name), row.bytes);
  }
  for (const [name, records] of productFiles(products))
    writeFileSync(join(folder, 'products', name), jsonText(records));
  const policies = Object.entries(storeInfo.policies).map(([slug, text]): [string, string] => {
    const file = `policies/${slug}.${isHtml(text) ? 'html' : 'md'}`;
    writeFileSync(join(folder, file), text);
    return [slug, file];
  });
  const record = { ...storeInfo, policies: Object.fromEntries(policies) };
  writeFileSync(join(folder, 'store.json'), jsonText(record));
}

/**
 * Writes the stored catalogue into a new or empty folder, which can be imported. Returns the number of products that are
 * not discontinued.
 * @throws ExplainedError
 */
export async function exportCatalogue(db: Database, folder: string): Promise<{ readonly products: number }> {
  if (namesIn(folder).length > 0) throw new ExplainedError(`${folder} is not empty. Name a new folder.`);
  const exported = await readDatabase(db);
  await writeFolder(db, folder, exported);
  await db.write((transaction) => markCatalogueShared(transaction, exported.version));
  return { products: exported.products.filter(({ isDiscontinued }) => !isDiscontinued).length };
}
