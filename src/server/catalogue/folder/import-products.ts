import { existsSync, readFileSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import sharp from 'sharp';
import * as v from 'valibot';
import { fetchImage } from '#catalogue/images/fetch-image.ts';
import { CsvError } from '#server/admin/csv.ts';
import { type CatalogueProduct, ProductSchema } from '#server/catalogue/schema.ts';
import { picturesOf, type StoredProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import type { Database } from '#server/db/database.ts';
import { type PreparedPicture, preparePicture } from '#server/pictures/prepare-picture.ts';
import { addPicture } from '#server/pictures/stored-pictures.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { lockCatalogue, markCatalogueChanged } from '#server/services/catalogue-version.ts';
import { NOT_UTF8, utf8Text } from '#server/services/plain-text.ts';
import { removePictures } from '#server/store/stored-store.ts';
import { storeProducts } from './import.ts';
import {
  type ExportedProduct,
  type ProductExport,
  type Remark,
  readProductExport,
} from './product-export.ts';

/** Fetches an image of the other shop. @throws an error with the reason */
export type FetchPicture = (address: string) => Promise<Uint8Array>;

/** An origin that no picture has: none may be at an internal address. */
const NO_ORIGIN = 'http://api.invalid';

const fetchPublic: FetchPicture = async (address) => {
  const image = await fetchImage(address, NO_ORIGIN);
  if (image.status === 'unchanged') throw new Error('answered 304');
  return image.bytes;
};

async function readFile(file: string): Promise<ProductExport> {
  if (!existsSync(file) || !statSync(file).isFile()) throw new ExplainedError(`There is no file ${file}.`);
  const text = utf8Text(readFileSync(file));
  if (text === undefined) throw new ExplainedError(`${file} ${NOT_UTF8}`);
  try {
    return await readProductExport(text);
  } catch (error) {
    throw error instanceof CsvError
      ? new ExplainedError(`${file}, line ${error.line}: ${error.message}`)
      : error;
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function prepared(bytes: Uint8Array): Promise<PreparedPicture> {
  const result = await preparePicture(bytes);
  if (result.status === 'refused') throw new Error(result.reason);
  return result.picture;
}

const AT_ONCE = 4;

/** Loads and stores the pictures of the products. Returns the names of the stored ones by their addresses. */
async function loadPictures(
  db: Database,
  products: readonly ExportedProduct[],
  fetchPicture: FetchPicture,
  remarks: Remark[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const limit = pLimit(AT_ONCE);
  const titles = new Map(products.flatMap(({ title, pictures }) => pictures.map((each) => [each, title])));
  const load = async ([address, title]: [string, string]) => {
    try {
      const picture = await prepared(await fetchPicture(address));
      await db.write((transaction) => addPicture(transaction, picture));
      names.set(address, picture.name);
    } catch (error) {
      const reason = reasonOf(error).slice(0, 100).replace(/\.$/, '');
      remarks.push({ title, cause: `has a picture that could not be loaded: ${reason}` });
    }
  };
  await limit.map([...titles], load);
  return names;
}

/** The picture of products without one, which are not on sale. */
const noPicture = async (): Promise<PreparedPicture> =>
  prepared(
    await sharp({ create: { width: 640, height: 640, channels: 3, background: '#e5e5e5' } })
      .png()
      .toBuffer(),
  );

/** What a new product has where the file says nothing. */
const NEW_PRODUCT = { description: '', category: 'Other', parentCategory: 'Other' };

interface Merged {
  readonly product: CatalogueProduct;
  readonly isDiscontinued: boolean;
}

interface Merging {
  readonly names: ReadonlyMap<string, string>;
  readonly placeholder: string;
  readonly now: string;
  readonly isDryRun: boolean;
  readonly report: Report;
}

interface Report {
  readonly added: string[];
  readonly changed: string[];
  readonly unchanged: string[];
  readonly left: Remark[];
  readonly remarks: Remark[];
}

/** Returns the product to store; undefined if it cannot be taken. Attributes that the file lacks stay. */
function merge(
  { names, placeholder, now, isDryRun, report }: Merging,
  from: ExportedProduct,
  before: StoredProduct | undefined,
): Merged | undefined {
  const { title } = from;
  const loaded = from.pictures.flatMap((address) => names.get(address) ?? []);
  const isComplete = loaded.length > 0 && loaded.length === from.pictures.length;
  const kept = isComplete && !isDryRun ? undefined : before?.product;
  const [picture = placeholder] = loaded;
  const keys = new Set(from.fields.attributes?.map(({ key }) => key.toLowerCase()));
  // A sale that the file does not plan has no times.
  const { saleFrom: _from, saleUntil: _until, ...old }: Partial<CatalogueProduct> = before?.product ?? {};
  const parsed = v.safeParse(ProductSchema, {
    ...NEW_PRODUCT,
    createdAt: now,
    ...old,
    ...from.fields,
    id: before?.product.id ?? from.id,
    attributes: [
      ...(from.fields.attributes ?? []),
      ...(before?.product.attributes ?? []).filter(({ key }) => !keys.has(key.toLowerCase())),
    ],
    imgUrl: kept?.imgUrl ?? picture,
    images: kept?.images ?? [...new Set([picture, ...loaded])].map((url) => ({ url })),
  });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    report.left.push({ title, cause: `cannot be taken: ${v.getDotPath(issue)} ${issue.message}` });
    return undefined;
  }
  const product = parsed.output;
  const lacksPicture = product.imgUrl === placeholder;
  const isHidden = before ? before.isDiscontinued && before.product.imgUrl !== placeholder : from.isSoldOut;
  const isDiscontinued = from.isDraft || lacksPicture || isHidden;
  if (from.isDraft) report.remarks.push({ title, cause: 'is a draft or hidden there: not on sale here' });
  else if (lacksPicture)
    report.remarks.push({
      title,
      cause: 'has no picture: not on sale until you add one and press Bring back',
    });
  else if (isHidden && before) report.remarks.push({ title, cause: 'stays discontinued' });
  else if (isHidden)
    report.remarks.push({ title, cause: 'is sold out there: not on sale until you press Bring back' });
  return { product, isDiscontinued };
}

async function store(
  db: Database,
  { products }: ProductExport,
  merging: Omit<Merging, 'placeholder'>,
): Promise<void> {
  const picture = await noPicture();
  const { report, isDryRun } = merging;
  await db.write(async (transaction) => {
    await lockCatalogue(transaction);
    const stored = await storedProducts(transaction);
    const before = new Map(stored.map((each) => [each.product.id.toLowerCase(), each]));
    const all = new Map<string, Merged>(before);
    const seen = new Map<string, string>();
    for (const from of products) {
      const key = from.id.toLowerCase();
      const other = seen.get(key);
      if (other !== undefined) {
        report.left.push({ title: from.title, cause: `has the address of “${other}”, ${from.id}` });
        continue;
      }
      const old = before.get(key);
      const merged = merge({ ...merging, placeholder: picture.name }, from, old);
      if (!merged) continue;
      seen.set(key, from.title);
      all.set(key, merged);
      const isSame =
        old?.isDiscontinued === merged.isDiscontinued && isDeepStrictEqual(old.product, merged.product);
      (old === undefined ? report.added : isSame ? report.unchanged : report.changed).push(from.title);
    }
    if (isDryRun || report.added.length + report.changed.length === 0) return;
    if ([...all.values()].some(({ product }) => product.imgUrl === picture.name))
      await addPicture(transaction, picture);
    await storeProducts(transaction, stored, {
      products: [...all.values()].map(({ product }) => product),
      discontinued: new Set(
        [...all.values()].flatMap(({ product, isDiscontinued }) => (isDiscontinued ? product.id : [])),
      ),
    });
    await removePictures(
      transaction,
      stored.flatMap(({ product }) => picturesOf(product)),
    );
    await markCatalogueChanged(transaction);
  });
}

const SHOWN_TITLES = 40;

/** In characters. */
const SHOWN_TITLE = 80;

const quoted = (titles: readonly string[]): string =>
  [...new Set(titles)].map((title) => `“${title.slice(0, SHOWN_TITLE)}”`).join(', ');

function group(what: string, titles: readonly string[]): string[] {
  if (titles.length === 0) return [];
  const more = titles.length - SHOWN_TITLES;
  const others = more > 0 ? ` and ${more} others` : '';
  return [`${what} (${titles.length}): ${quoted(titles.slice(0, SHOWN_TITLES))}${others}.`];
}

const byCause = (remarks: readonly Remark[]): string[] =>
  [...Map.groupBy(remarks, ({ cause }) => cause)].map(
    ([cause, list]) => `  ${cause} (${list.length}): ${quoted(list.map(({ title }) => title))}`,
  );

function summary(file: string, { shop }: ProductExport, report: Report, isDryRun: boolean): string {
  const { added, changed, unchanged, left, remarks } = report;
  const prefix = isDryRun ? 'Would be ' : '';
  const word = (text: string): string => (isDryRun ? text : text.charAt(0).toUpperCase() + text.slice(1));
  return [
    `${file} is a product export of ${shop}. Its prices were read as rupees.`,
    ...group(prefix + word('added'), added),
    ...group(prefix + word('changed'), changed),
    ...group('As in the file already', unchanged),
    ...(left.length === 0 ? [] : [`Left out (${left.length}):`, ...byCause(left)]),
    ...(remarks.length === 0 ? [] : ['Look at these:', ...byCause(remarks)]),
    'No product was removed. Stock, SKUs, weights, tags and search texts are not taken.',
    isDryRun
      ? 'This was a dry run: nothing is stored, and no picture was loaded.'
      : 'Next: put new categories into the menu (Store, Categories), look through the catalogue, and publish.',
  ].join('\n');
}

/**
 * Adds the products of an export of Shopify or WooCommerce, and changes those with the same handle. Returns what it took
 * and what it left. @throws ExplainedError
 */
export async function importProducts(
  db: Database,
  file: string,
  { isDryRun = false, fetchPicture = fetchPublic, say = (_text: string): void => undefined } = {},
): Promise<string> {
  const exported = await readFile(file);
  const report: Report = {
    added: [],
    changed: [],
    unchanged: [],
    left: [...exported.left],
    remarks: [...exported.remarks],
  };
  const addresses = new Set(exported.products.flatMap(({ pictures }) => pictures));
  if (!isDryRun) say(`Loading ${addresses.size} pictures …`);
  const names = isDryRun
    ? new Map([...addresses].map((address) => [address, address]))
    : await loadPictures(db, exported.products, fetchPicture, report.remarks);
  await store(db, exported, { names, now: new Date().toISOString(), isDryRun, report });
  return summary(file, exported, report, isDryRun);
}
