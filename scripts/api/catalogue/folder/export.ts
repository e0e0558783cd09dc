import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { isHtml } from '#catalogue/policy-markdown.ts';
import type { CatalogueProduct } from '#scripts/api/catalogue/schema.ts';
import { splitBySale, storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import type { Database } from '#scripts/api/db/database.ts';
import { isImageName } from '#scripts/api/http/names.ts';
import { catalogueVersion } from '#scripts/api/shop/catalogue-version.ts';
import { StoreFileSchema } from '#scripts/api/store/schema.ts';
import { storedStore } from '#scripts/api/store/stored-store.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import {
  type Catalogue,
  lostParts,
  namedParts,
  partsOf,
  sharedParts,
  shareParts,
  withOutOfSale,
} from './folder-parts.ts';
import { productFiles } from './product-files.ts';
import { imageFolder, readCatalogue } from './read.ts';
import { tidyJson } from './tidy-json.ts';

const PictureRowSchema = v.object({ name: v.string(), etag: v.string() });

const BytesRowSchema = v.object({ bytes: v.instance(Uint8Array) });

async function readDatabase(db: Database): Promise<Catalogue> {
  for (;;) {
    const version = await catalogueVersion(db);
    const stored = await storedProducts(db);
    const storeInfo = await storedStore(db);
    const pictures = await db.all(PictureRowSchema, 'SELECT name, etag FROM pictures ORDER BY name');
    if (!storeInfo) throw new ExplainedError('The database has no catalogue yet. Start the shop first.');
    // Somebody has saved something between these reads.
    if ((await catalogueVersion(db)) !== version) continue;
    return { ...splitBySale(stored), storeInfo, pictures };
  }
}

const isEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/** @throws ExplainedError where the export would undo what was changed in the folder since the last import or export */
async function requireImported(db: Database, folder: string, database: Catalogue): Promise<void> {
  const here = readCatalogue(folder);
  const gone = database.products.filter(({ id }) => database.outOfSale.has(id));
  const lost = lostParts(await sharedParts(db), partsOf(withOutOfSale(here, gone)), partsOf(database));
  if (lost.length === 0) return;
  throw new ExplainedError(
    `${folder} has changes that were not imported:\n${namedParts(lost, here)}\nImport them first, or export into another folder.`,
  );
}

function writeIfNew(file: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, bytes);
  renameSync(`${file}.new`, file);
}

/** A file that says the same already, as the schema reads it, stays as somebody has written it. */
function writeJson(file: string, schema: v.GenericSchema<unknown, unknown>, value: unknown): void {
  const read = (json: unknown): unknown => {
    const parsed = v.safeParse(schema, json);
    return parsed.success ? parsed.output : json;
  };
  const isSame =
    existsSync(file) && isDeepStrictEqual(read(JSON.parse(readFileSync(file, 'utf8'))), read(value));
  if (!isSame) writeIfNew(file, tidyJson(value));
}

const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** The file of each product that the folder has so far. */
function filesOfProducts(folder: string): Map<string, string> {
  const names = filesIn(join(folder, 'products')).filter((name) => name.endsWith('.json'));
  const Ids = v.pipe(v.string(), v.parseJson(), v.array(v.object({ id: v.string() })));
  return new Map(
    names.flatMap((name) =>
      v
        .parse(Ids, readFileSync(join(folder, 'products', name), 'utf8'))
        .map(({ id }): [string, string] => [id, name]),
    ),
  );
}

async function writeFolder(db: Database, folder: string, exported: Catalogue): Promise<void> {
  const { products, outOfSale, storeInfo, pictures } = exported;
  const files = productFiles(products, filesOfProducts(folder));
  for (const { name } of pictures) {
    const row = await db.get(BytesRowSchema, 'SELECT bytes FROM pictures WHERE name = ?', name);
    if (row) writeIfNew(join(imageFolder(folder), name), row.bytes);
  }
  const policies = Object.entries(storeInfo.policies).map(([slug, text]) => {
    const [file, other] = isHtml(text) ? [`${slug}.html`, `${slug}.md`] : [`${slug}.md`, `${slug}.html`];
    writeIfNew(join(folder, 'policies', file), text);
    rmSync(join(folder, 'policies', other), { force: true });
    return [slug, `policies/${file}`];
  });
  const inFile = (product: CatalogueProduct) =>
    outOfSale.has(product.id) ? { ...product, isOnSale: false } : product;
  for (const [name, list] of files) writeJson(join(folder, 'products', name), v.unknown(), list.map(inFile));
  writeJson(join(folder, 'store.json'), StoreFileSchema, {
    ...storeInfo,
    policies: Object.fromEntries(policies),
  });

  const kept = new Set(pictures.map(({ name }) => name));
  for (const name of filesIn(join(folder, 'products'))) {
    if (name.endsWith('.json') && !files.has(name)) rmSync(join(folder, 'products', name));
  }
  for (const name of filesIn(imageFolder(folder))) {
    if (isImageName(name) && !kept.has(name)) rmSync(join(imageFolder(folder), name));
  }
}

/**
 * Writes the stored catalogue into a folder from which it can be imported. Into the folder of the catalogue it writes only
 * what differs. Any other folder must be new or empty.
 * @param own whether it is the folder of the catalogue
 * @throws ExplainedError where something would be overwritten that is nowhere else
 */
export async function exportCatalogue(
  db: Database,
  folder: string,
  own: boolean,
): Promise<{ readonly products: number }> {
  const exported = await readDatabase(db);
  if (!isEmpty(folder)) {
    if (!own) throw new ExplainedError(`${folder} is not empty. Name a new folder.`);
    await requireImported(db, folder, exported);
  }
  await writeFolder(db, folder, exported);
  await db.write((transaction) => shareParts(transaction, partsOf(exported)));
  return { products: exported.products.length - exported.outOfSale.size };
}
