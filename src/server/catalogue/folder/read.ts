import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import * as v from 'valibot';
import { fingerprint } from '#domain/product.ts';
import { type CatalogueProduct, CatalogueProductSchema, leastFits } from '#server/catalogue/schema.ts';
import type { StoredProduct } from '#server/catalogue/stored-products.ts';
import { isImageName, isRemote, isSystemFile } from '#server/http/names.ts';
import { NOT_UTF8, utf8Text } from '#server/http/sent-values.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { PolicyTextSchema, StoreFileSchema, type StoreInfo } from '#server/store/schema.ts';
import { withPictures } from '#server/store/stored-store.ts';

export const imageFolder = (catalogue: string): string => join(catalogue, 'images');

/** A product in a file. Only a discontinued one has the field. */
const FileProductSchema = v.pipe(
  v.strictObject({ ...CatalogueProductSchema.entries, isDiscontinued: v.optional(v.boolean(), false) }),
  v.check((product) => leastFits(product), 'maxPerOrder is below minPerOrder'),
);

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
  /** The stored names of the pictures, by their files and by these in lower case. */
  readonly pictures: ReadonlyMap<string, string>;
  readonly problems: string[];
}

/** Returns the names of what people have put into a folder, sorted. */
export const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => !isSystemFile(name))
        .sort()
    : [];

const filesIn = (folder: string): string[] =>
  namesIn(folder).filter((name) => !statSync(join(folder, name)).isDirectory());

/** @throws an error with the reason */
function readText({ folder }: Reading, file: string): string {
  if (!existsSync(join(folder, file))) throw new Error('is missing');
  const text = utf8Text(readFileSync(join(folder, file)));
  if (text === undefined) throw new Error(NOT_UTF8);
  return text;
}

/** Returns the value in a file. Adds a problem and returns undefined if it cannot be read. */
function readFile<T>(reading: Reading, file: string, parseText: (text: string) => T): T | undefined {
  try {
    return parseText(readText(reading, file));
  } catch (error) {
    reading.problems.push(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`);
    return undefined;
  }
}

const readJson = (reading: Reading, file: string): unknown => readFile(reading, file, JSON.parse);

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

/** Returns the name under which a file is stored: `Red Lamp.JPG` becomes `Red-Lamp.jpg`. Undefined if it is no picture. */
function pictureName(file: string): string | undefined {
  if (isImageName(file)) return file;
  const { name, ext } = parse(file.normalize('NFC'));
  const plain = name.split(/\W+/).filter(Boolean).join('-');
  // Letters of other scripts are lost, so that two names might become one.
  const base = /[^\p{ASCII}]/u.test(name) ? `${plain}-${fingerprint(name)}`.replace(/^-/, '') : plain;
  const stored = `${base}${ext.toLowerCase()}`;
  return isImageName(stored) ? stored : undefined;
}

function readPictureNames(folder: string, problems: string[]): Map<string, string> {
  const files = new Map<string, string>();
  const names = new Map<string, string>();
  for (const file of filesIn(imageFolder(folder))) {
    const name = pictureName(file);
    if (name === undefined) continue;
    const other = files.get(name.toLowerCase());
    if (other !== undefined)
      problems.push(`images/${file}: has the same name as images/${other}. Rename one of them.`);
    files.set(name.toLowerCase(), file);
    for (const key of [file, file.normalize('NFC'), file.normalize('NFC').toLowerCase()])
      names.set(key, name);
  }
  return names;
}

/** Returns the stored name of a picture; the text itself for an address or a missing one, which is a problem. */
function storedPicture({ folder, pictures, problems }: Reading, picture: string, where: string): string {
  const file = picture.normalize('NFC');
  const name = pictures.get(file) ?? pictures.get(file.toLowerCase());
  if (name !== undefined || isRemote(picture)) return name ?? picture;
  const isOther = !/[\\/]/.test(picture) && existsSync(join(imageFolder(folder), picture));
  problems.push(
    isOther
      ? `${where}: '${picture}' is not a JPEG, PNG, WebP or AVIF picture`
      : `${where}: there is no picture '${picture}' in images/`,
  );
  return picture;
}

const ListSchema = v.array(v.unknown(), 'must hold a list of products');

interface Found extends StoredProduct {
  /** The file and id, for problems. */
  readonly where: string;
}

function readProductFile(reading: Reading, file: string): Found[] {
  const json = readJson(reading, file);
  const list = json === undefined ? [] : (checked(reading, ListSchema, json, file) ?? []);
  return list.flatMap((entry, index) => {
    const read = checked(reading, FileProductSchema, entry, `${file}[${index}]`);
    if (!read) return [];
    const { isDiscontinued, ...product } = read;
    const where = `${file} '${product.id}'`;
    const imgUrl = storedPicture(reading, product.imgUrl, where);
    const images = product.images.map(({ url }) => ({
      url: url === product.imgUrl ? imgUrl : storedPicture(reading, url, where),
    }));
    return [{ product: { ...product, imgUrl, images }, isDiscontinued, where }];
  });
}

/** Returns products whose ids differ at most in case: the pages of 'A1' and 'a1' would be one file on some disks. */
export const withSameFile = <P extends StoredProduct>(products: readonly P[]): P[][] =>
  [...Map.groupBy(products, ({ product }) => product.id.toLowerCase()).values()].filter(
    ({ length }) => length > 1,
  );

function readProducts(reading: Reading): Pick<CatalogueContent, 'products' | 'discontinued'> {
  const files = filesIn(join(reading.folder, 'products')).filter((file) => file.endsWith('.json'));
  const found = files.flatMap((file) => readProductFile(reading, `products/${file}`));
  for (const [first, ...others] of withSameFile(found))
    for (const { where } of others) reading.problems.push(`${where}: the id is taken by ${first?.where}`);
  if (found.length === 0 && reading.problems.length === 0)
    reading.problems.push('products/: there is no product');
  return {
    products: found.map(({ product }) => product),
    discontinued: new Set(found.flatMap(({ product, isDiscontinued }) => (isDiscontinued ? product.id : []))),
  };
}

function readStore(reading: Reading): StoreInfo | undefined {
  const record = readJson(reading, 'store.json');
  const store = record === undefined ? undefined : checked(reading, StoreFileSchema, record, 'store.json');
  if (!store) return undefined;
  const policies: Record<string, string> = {};
  for (const [slug, file] of Object.entries(store.policies)) {
    const text = readFile(reading, file, (read) => checked(reading, PolicyTextSchema, read, file));
    if (text !== undefined) policies[slug] = text;
  }
  const named = (picture: string): string => picture && storedPicture(reading, picture, 'store.json');
  return { ...withPictures(store, named), policies };
}

const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url');

/** Reads the folder: `products/*.json`, `store.json`, `policies/*`, `images/*`. @throws CatalogueError */
export function readCatalogue(folder: string): CatalogueContent {
  if (!existsSync(folder)) throw new CatalogueError(folder, ['the folder does not exist']);
  const problems: string[] = [];
  const reading: Reading = { folder, pictures: readPictureNames(folder, problems), problems };
  const products = readProducts(reading);
  const storeInfo = readStore(reading);
  if (reading.problems.length > 0 || !storeInfo) throw new CatalogueError(folder, reading.problems);
  const pictures = filesIn(imageFolder(folder)).flatMap((name): Picture[] => {
    const stored = reading.pictures.get(name);
    const file = join(imageFolder(folder), name);
    return stored === undefined ? [] : [{ name: stored, file, etag: hashOf(readFileSync(file)) }];
  });
  return { ...products, storeInfo, pictures };
}
