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
  leftOut,
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
      remarks.push({ title, remark: `Look at this: a picture could not be loaded: ${reason}` });
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
  /** The names of the loaded pictures by their addresses. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: string;
  readonly isDryRun: boolean;
  readonly remarks: Remark[];
}

/** Returns the product to store; undefined if it cannot be taken. Attributes that the file lacks stay. */
function merge(
  { names, now, isDryRun, remarks }: Merging,
  placeholder: string,
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
    remarks.push(leftOut(title, `its ${v.getDotPath(issue)} ${issue.message}`));
    return undefined;
  }
  const product = parsed.output;
  const isHidden = before ? before.isDiscontinued && before.product.imgUrl !== placeholder : from.isSoldOut;
  const [reason] = [
    from.isDraft && 'it is a draft or hidden there',
    product.imgUrl === placeholder && 'it has no picture. Add one, and press Bring back',
    isHidden && (before ? 'it is discontinued here' : 'it is sold out there. Press Bring back to sell it'),
  ].filter((each) => each !== false);
  if (reason !== undefined) remarks.push({ title, remark: `Not on sale: ${reason}` });
  return { product, isDiscontinued: reason !== undefined };
}

/** Returns what became of each product that was taken. */
async function store(db: Database, { products }: ProductExport, merging: Merging): Promise<Remark[]> {
  const picture = await noPicture();
  const { remarks, isDryRun } = merging;
  const taken: Remark[] = [];
  const [added, changed] = isDryRun ? ['Would be added', 'Would be changed'] : ['Added', 'Changed'];
  await db.write(async (transaction) => {
    await lockCatalogue(transaction);
    const stored = await storedProducts(transaction);
    const before = new Map(stored.map((each) => [each.product.id.toLowerCase(), each]));
    const all = new Map<string, Merged>(before);
    const seen = new Map<string, string>();
    for (const from of products) {
      const { id, title } = from;
      const key = id.toLowerCase();
      const other = seen.get(key);
      if (other !== undefined) {
        remarks.push(leftOut(title, `has the address of “${other}”, ${id}`));
        continue;
      }
      const old = before.get(key);
      const merged = merge(merging, picture.name, from, old);
      if (!merged) continue;
      seen.set(key, title);
      all.set(key, merged);
      const isSame =
        old?.isDiscontinued === merged.isDiscontinued && isDeepStrictEqual(old.product, merged.product);
      taken.push({ title, remark: old === undefined ? added : isSame ? UNCHANGED : changed });
    }
    if (isDryRun || taken.every(({ remark }) => remark === UNCHANGED)) return;
    const merged = [...all.values()];
    if (merged.some(({ product }) => product.imgUrl === picture.name)) await addPicture(transaction, picture);
    await storeProducts(transaction, stored, {
      products: merged.map(({ product }) => product),
      discontinued: new Set(
        merged.filter(({ isDiscontinued }) => isDiscontinued).map(({ product }) => product.id),
      ),
    });
    await removePictures(
      transaction,
      stored.flatMap(({ product }) => picturesOf(product)),
    );
    await markCatalogueChanged(transaction);
  });
  return taken;
}

const UNCHANGED = 'As in the file already';

/** The most products that are named together, if nothing is to be done about them. */
const SHOWN_TITLES = 40;

/** In characters. */
const SHOWN_TITLE = 80;

/** A line for each remark, with the titles of its products. */
const linesOf = (remarks: readonly Remark[], most = Number.POSITIVE_INFINITY): string[] =>
  [...Map.groupBy(remarks, ({ remark }) => remark)].map(([remark, list]) => {
    const titles = [...new Set(list.map(({ title }) => `“${title.slice(0, SHOWN_TITLE)}”`))].slice(0, most);
    const others = list.length > most ? ` and ${list.length - most} others` : '';
    return `${remark} (${list.length}): ${titles.join(', ')}${others}.`;
  });

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
  const remarks = [...exported.remarks];
  const addresses = new Set(exported.products.flatMap(({ pictures }) => pictures));
  if (!isDryRun) say(`Loading ${addresses.size} pictures …`);
  const names = isDryRun
    ? new Map([...addresses].map((address) => [address, address]))
    : await loadPictures(db, exported.products, fetchPicture, remarks);
  const taken = await store(db, exported, { names, now: new Date().toISOString(), isDryRun, remarks });
  return [
    `${file} is a product export of ${exported.shop}. Its prices were read as rupees.`,
    ...linesOf(taken, SHOWN_TITLES),
    ...linesOf(remarks),
    'No product was removed. Stock, SKUs, weights, tags and search texts are not taken.',
    isDryRun
      ? 'This was a dry run: nothing is stored, and no picture was loaded.'
      : 'Next: put new categories into the menu (Store, Categories), look through the catalogue, and publish.',
  ].join('\n');
}
