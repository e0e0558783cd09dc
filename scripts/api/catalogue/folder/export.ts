import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { WireProduct } from '#scripts/api/catalogue/schema.ts';
import { picturesOf, storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import type { Database } from '#scripts/api/db/database.ts';
import { isImageName } from '#scripts/api/http/names.ts';
import { storedVersion } from '#scripts/api/shop/catalogue-version.ts';
import type { WireStoreInfo } from '#scripts/api/store/schema.ts';
import { picturesOfStore, storedStore } from '#scripts/api/store/stored-store.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { rememberImported } from './imported.ts';
import { folderParts, importedParts } from './parts.ts';
import { productFiles } from './product-files.ts';
import { imageFolder, readCatalogue } from './read.ts';
import { tidyJson } from './tidy-json.ts';

interface Exported {
  readonly products: readonly WireProduct[];
  readonly storeInfo: WireStoreInfo;
  readonly pictures: readonly { readonly name: string; readonly etag: string }[];
}

const PictureRowSchema = v.object({ name: v.string(), etag: v.string() });

const BytesRowSchema = v.object({ bytes: v.instance(Uint8Array) });

/** What is on sale. The pictures that only products out of sale show are left out, as these are. */
async function readDatabase(db: Database): Promise<Exported> {
  for (;;) {
    const version = await storedVersion(db);
    const all = await storedProducts(db);
    const storeInfo = await storedStore(db);
    const pictures = await db.all(PictureRowSchema, 'SELECT name, etag FROM pictures ORDER BY name');
    if (!storeInfo) throw new ExplainedError('The database has no catalogue yet. Start the shop first.');
    // Somebody has saved something between these reads.
    if ((await storedVersion(db)) !== version) continue;
    const products = all.filter(({ isOnSale }) => isOnSale).map(({ product }) => product);
    const used = new Set([...picturesOfStore(storeInfo), ...products.flatMap(picturesOf)]);
    const ofGone = new Set(all.flatMap(({ product, isOnSale }) => (isOnSale ? [] : picturesOf(product))));
    return {
      products,
      storeInfo,
      pictures: pictures.filter(({ name }) => used.has(name) || !ofGone.has(name)),
    };
  }
}

const isEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0;

/** @throws ExplainedError where the folder holds changes that the export would undo */
async function requireImported(db: Database, folder: string): Promise<void> {
  const here = folderParts(readCatalogue(folder));
  const before = await importedParts(db);
  const isSame =
    isDeepStrictEqual(here.order, before.order) &&
    here.parts.size === before.parts.size &&
    [...here.parts].every(([name, text]) => before.parts.get(name) === text);
  if (isSame) return;
  throw new ExplainedError(
    `${folder} has changes that were not imported. Run 'npm run catalogue' first, or name another folder.`,
  );
}

function writeIfNew(file: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, bytes);
  renameSync(`${file}.new`, file);
}

/** A file that says the same already stays as somebody has formatted it. */
function writeJson(file: string, value: unknown): void {
  const isSame = existsSync(file) && isDeepStrictEqual(JSON.parse(readFileSync(file, 'utf8')), value);
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

async function writeFolder(db: Database, folder: string, exported: Exported): Promise<void> {
  const { products, storeInfo, pictures } = exported;
  const files = productFiles(products, filesOfProducts(folder));
  for (const { name } of pictures) {
    const row = await db.get(BytesRowSchema, 'SELECT bytes FROM pictures WHERE name = ?', name);
    if (row) writeIfNew(join(imageFolder(folder), name), row.bytes);
  }
  const policies = Object.entries(storeInfo.policies).map(([slug, html]) => {
    const file = `policies/${slug}.html`;
    writeIfNew(join(folder, file), html);
    return [slug, file];
  });
  for (const [name, list] of files) writeJson(join(folder, 'products', name), list);
  writeJson(join(folder, 'store.json'), { ...storeInfo, policies: Object.fromEntries(policies) });

  const kept = new Set(pictures.map(({ name }) => name));
  for (const name of filesIn(join(folder, 'products'))) {
    if (name.endsWith('.json') && !files.has(name)) rmSync(join(folder, 'products', name));
  }
  for (const name of filesIn(imageFolder(folder))) {
    if (isImageName(name) && !kept.has(name)) rmSync(join(imageFolder(folder), name));
  }
}

/**
 * Writes what is on sale into a folder from which it can be imported. Into the folder of the catalogue it writes only
 * what differs, and from then on that counts as imported. Any other folder must be new or empty.
 * @param own whether it is the folder of the catalogue
 * @throws ExplainedError where something would be overwritten that is nowhere else
 */
export async function exportCatalogue(
  db: Database,
  folder: string,
  own: boolean,
): Promise<{ readonly products: number }> {
  if (!isEmpty(folder)) {
    if (!own) throw new ExplainedError(`${folder} is not empty. Name a new folder.`);
    await requireImported(db, folder);
  }
  const exported = await readDatabase(db);
  await writeFolder(db, folder, exported);
  if (own) {
    await db.write(async (transaction) =>
      rememberImported(transaction, exported, await importedParts(transaction)),
    );
  }
  return { products: exported.products.length };
}
