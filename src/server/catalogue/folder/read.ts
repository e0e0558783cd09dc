import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type CatalogueProduct, ProductSchema } from '#server/catalogue/schema.ts';
import { picturesOf } from '#server/catalogue/stored-products.ts';
import { isImageName, isRemote } from '#server/http/names.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { PolicyTextSchema, StoreFileSchema, type StoreInfo } from '#server/store/schema.ts';
import { orderedStore, picturesOfStore } from '#server/store/stored-store.ts';

export const imageFolder = (catalogue: string): string => join(catalogue, 'images');

/** A product in a file. Only a discontinued one has the field. */
const FileProductSchema = v.strictObject({
  ...ProductSchema.entries,
  isDiscontinued: v.optional(v.boolean(), false),
});

/** A picture in the folder. Its bytes are not loaded: all pictures together may not fit into memory. */
export interface Picture {
  readonly name: string;
  readonly file: string;
  readonly etag: string;
}

export interface CatalogueContent {
  /** In the order of the shop, with discontinued ones. Their pictures are file names. */
  readonly products: readonly CatalogueProduct[];
  readonly discontinued: ReadonlySet<string>;
  readonly storeInfo: StoreInfo;
  readonly pictures: readonly Picture[];
}

/** Names every invalid file and field. Nothing of such a folder is used. */
export class CatalogueError extends ExplainedError {
  readonly problems: readonly string[];

  constructor(folder: string, problems: readonly string[]) {
    super(
      `The catalogue in ${folder} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

interface Reading {
  readonly folder: string;
  readonly pictures: ReadonlySet<string>;
  readonly problems: string[];
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** Returns the file's JSON. Adds a problem and returns undefined if it cannot be read. */
function readJson({ folder, problems }: Reading, file: string): unknown {
  if (!existsSync(join(folder, file))) {
    problems.push(`${file}: is missing`);
    return undefined;
  }
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8'));
  } catch (error) {
    problems.push(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`);
    return undefined;
  }
}

/** Returns the parsed value. Adds a problem for each invalid field and returns undefined. */
function checked<S extends v.GenericSchema<unknown, unknown>>(
  { problems }: Reading,
  schema: S,
  value: unknown,
  where: string,
): v.InferOutput<S> | undefined {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  for (const issue of parsed.issues) {
    const path = v.getDotPath(issue);
    problems.push(`${where}${path === null ? '' : `, ${path}`}: ${issue.message}`);
  }
  return undefined;
}

function checkPicture({ pictures, problems }: Reading, picture: string, where: string): void {
  if (isRemote(picture) || (isImageName(picture) && pictures.has(picture))) return;
  problems.push(`${where}: there is no picture '${picture}' in images/`);
}

interface Found {
  readonly product: CatalogueProduct;
  readonly isDiscontinued: boolean;
  /** The file and id, for problems. */
  readonly where: string;
}

function readProductFile(reading: Reading, file: string): Found[] {
  const list = readJson(reading, file);
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    reading.problems.push(`${file}: must hold a list of products`);
    return [];
  }
  return list.flatMap((entry: unknown, index) => {
    const read = checked(reading, FileProductSchema, entry, `${file}[${index}]`);
    if (!read) return [];
    const { isDiscontinued, ...product } = read;
    return [{ product, isDiscontinued, where: `${file} '${product.id}'` }];
  });
}

function readProducts(reading: Reading): Pick<CatalogueContent, 'products' | 'discontinued'> {
  const files = filesIn(join(reading.folder, 'products')).filter((file) => file.endsWith('.json'));
  const found = files.flatMap((file) => readProductFile(reading, `products/${file}`));
  const places = new Map<string, string>();
  for (const { product, where } of found) {
    // The pages of 'A1' and 'a1' would be one file on some disks.
    const key = product.id.toLowerCase();
    const other = places.get(key);
    if (other !== undefined) reading.problems.push(`${where}: the id is taken by ${other}`);
    places.set(key, where);
    for (const picture of picturesOf(product)) checkPicture(reading, picture, where);
  }
  if (found.length === 0 && reading.problems.length === 0)
    reading.problems.push('products/: there is no product');
  return {
    products: found.map(({ product }) => product),
    discontinued: new Set(found.flatMap(({ product, isDiscontinued }) => (isDiscontinued ? product.id : []))),
  };
}

function readStore(reading: Reading): StoreInfo | undefined {
  const { folder, problems } = reading;
  const record = readJson(reading, 'store.json');
  const store = record === undefined ? undefined : checked(reading, StoreFileSchema, record, 'store.json');
  if (!store) return undefined;
  for (const picture of picturesOfStore(store)) checkPicture(reading, picture, 'store.json');
  const policies: Record<string, string> = {};
  for (const [slug, file] of Object.entries(store.policies)) {
    if (existsSync(join(folder, file))) {
      const text = checked(reading, PolicyTextSchema, readFileSync(join(folder, file), 'utf8'), file);
      if (text !== undefined) policies[slug] = text;
    } else problems.push(`store.json, policies.${slug}: there is no ${file}`);
  }
  return { ...store, policies };
}

const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url');

/** Reads the folder: `products/*.json`, `store.json`, `policies/*`, `images/*`. @throws CatalogueError */
export function readCatalogue(folder: string): CatalogueContent {
  if (!existsSync(folder)) throw new CatalogueError(folder, ['the folder does not exist']);
  const reading: Reading = { folder, pictures: new Set(filesIn(imageFolder(folder))), problems: [] };
  const products = readProducts(reading);
  const storeInfo = readStore(reading);
  if (reading.problems.length > 0 || !storeInfo) throw new CatalogueError(folder, reading.problems);
  const pictures = [...reading.pictures].filter(isImageName).map((name): Picture => {
    const file = join(imageFolder(folder), name);
    return { name, file, etag: hashOf(readFileSync(file)) };
  });
  return { ...products, storeInfo: orderedStore(storeInfo), pictures };
}
