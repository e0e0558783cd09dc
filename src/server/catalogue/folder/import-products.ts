import { existsSync, readFileSync, statSync } from 'node:fs';
import pLimit from 'p-limit';
import sharp from 'sharp';
import * as v from 'valibot';
import { fetchImage } from '#catalogue/images/fetch-image.ts';
import { foldText } from '#domain/fold-text.ts';
import { CsvError } from '#server/admin/csv.ts';
import { type CatalogueProduct, CatalogueProductSchema } from '#server/catalogue/schema.ts';
import {
  isSameProduct,
  picturesOf,
  type StoredProduct,
  storedProducts,
} from '#server/catalogue/stored-products.ts';
import { lockCatalogue, markCatalogueChanged } from '#server/db/catalogue-version.ts';
import type { Database } from '#server/db/database.ts';
import { NOT_UTF8, utf8Text } from '#server/http/sent-values.ts';
import { type PreparedPicture, preparePicture } from '#server/pictures/prepare-picture.ts';
import { addPicture, removePictures } from '#server/pictures/stored-pictures.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { type Pieces, stockEdits } from '#server/stock/stock-facts.ts';
import { editStock, lockStock, wholeStock } from '#server/stock/stored-stock.ts';
import { storeProducts } from './import.ts';
import { type ExportedProduct, leftOut, lookAt, type Remark, readProductExport } from './product-export.ts';

/** Fetches an image of the other shop. @throws an error with the reason */
export type FetchPicture = (address: string) => Promise<Uint8Array>;

/** An origin that no picture has: none may be at an internal address. */
const NO_ORIGIN = 'http://api.invalid';

const fetchPublic: FetchPicture = async (address) => {
  const image = await fetchImage(address, NO_ORIGIN);
  if (image.status === 'unchanged') throw new Error('answered 304');
  return image.bytes;
};

async function readFile(file: string) {
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
      const picture = await preparePicture(await fetchPicture(address));
      await db.write((transaction) => addPicture(transaction, picture));
      names.set(address, picture.name);
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error))
        .slice(0, 100)
        .replace(/\.$/, '');
      remarks.push(lookAt(title, `a picture could not be loaded: ${reason}`));
    }
  };
  await limit.map([...titles], load);
  return names;
}

/** The picture of products without one, which are not on sale. */
const createPlaceholder = async (): Promise<PreparedPicture> =>
  preparePicture(
    await sharp({ create: { width: 640, height: 640, channels: 3, background: '#e5e5e5' } })
      .png()
      .toBuffer(),
  );

/** What a new product has where the file says nothing. */
const NEW_PRODUCT = { description: '', category: 'Other', parentCategory: 'Other' };

/**
 * Returns the product to store, or why it cannot be taken. Attributes and pictures that the file lacks stay.
 * @param pictures the names of its pictures that were loaded, the main one first
 * @param noPicture the name of the picture of products without one
 */
function merge(
  from: ExportedProduct,
  before: CatalogueProduct | undefined,
  pictures: readonly string[],
  noPicture: string,
): CatalogueProduct | string {
  const isComplete = pictures.length > 0 && pictures.length === from.pictures.length;
  const kept = isComplete ? undefined : before;
  const [picture = noPicture] = pictures;
  const { attributes = [], ...fields } = from.fields;
  const keys = new Set(attributes.map(({ key }) => foldText(key)));
  const others = before?.attributes.filter(({ key }) => !keys.has(foldText(key))) ?? [];
  const parsed = v.safeParse(CatalogueProductSchema, {
    ...NEW_PRODUCT,
    createdAt: new Date().toISOString(),
    ...before,
    // A sale that the file does not plan has no times.
    saleFrom: undefined,
    saleUntil: undefined,
    ...fields,
    title: from.title,
    id: before?.id ?? from.id,
    attributes: [...attributes, ...others],
    imgUrl: kept?.imgUrl ?? picture,
    images: kept?.images ?? [...new Set([picture, ...pictures])].map((url) => ({ url })),
  });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  return `its ${v.getDotPath(issue)} ${issue.message}`;
}

/** Returns why the product is not on sale; undefined if it is. */
function offSaleReason(
  { isDraft }: ExportedProduct,
  before: StoredProduct | undefined,
  { imgUrl }: CatalogueProduct,
  noPicture: string,
): string | undefined {
  if (isDraft) return 'it is a draft or hidden there';
  if (imgUrl === noPicture) return 'it has no picture. Add one, and press Bring back';
  return before?.isDiscontinued && before.product.imgUrl !== noPicture
    ? 'it is discontinued here'
    : undefined;
}

/**
 * Stores the products. Returns what became of each one that was taken.
 * @param names of the loaded pictures by their addresses; undefined for a dry run
 */
async function store(
  db: Database,
  products: readonly ExportedProduct[],
  names: ReadonlyMap<string, string> | undefined,
  remarks: Remark[],
): Promise<Remark[]> {
  const placeholder = await createPlaceholder();
  const taken: Remark[] = [];
  const counted = new Map<string, Pieces>();
  const [added, changed] = names ? ['Added', 'Changed'] : ['Would be added', 'Would be changed'];
  await db.write(async (transaction) => {
    await lockCatalogue(transaction);
    const stored = await storedProducts(transaction);
    const stocks = await wholeStock(transaction);
    const all = new Map(stored.map((each) => [each.product.id.toLowerCase(), each]));
    const titles = new Map<string, string>();
    for (const from of products) {
      const { id, title } = from;
      const key = id.toLowerCase();
      const [before, other] = [all.get(key), titles.get(key)];
      // In a dry run, a stored product keeps its pictures.
      const unloaded = before ? [] : from.pictures;
      const pictures = names ? from.pictures.flatMap((address) => names.get(address) ?? []) : unloaded;
      const product =
        other === undefined
          ? merge(from, before?.product, pictures, placeholder.name)
          : `has the address of “${other}”, ${id}`;
      if (typeof product === 'string') {
        remarks.push(leftOut(title, product));
        continue;
      }
      const reason = offSaleReason(from, before, product, placeholder.name);
      if (reason !== undefined) remarks.push({ title, remark: `Not on sale: ${reason}` });
      const isDiscontinued = reason !== undefined;
      const isSame =
        before?.isDiscontinued === isDiscontinued &&
        isSameProduct(before.product, product) &&
        (from.stock.size === 0 || stockEdits(stocks.get(product.id) ?? [], { now: from.stock }).length === 0);
      if (from.stock.size > 0) counted.set(product.id, from.stock);
      const remark = isSame ? UNCHANGED : changed;
      taken.push({ title, remark: before === undefined ? added : remark });
      titles.set(key, title);
      all.set(key, { product, isDiscontinued });
    }
    if (!names || taken.every(({ remark }) => remark === UNCHANGED)) return;
    const merged = [...all.values()];
    if (merged.some(({ product }) => product.imgUrl === placeholder.name))
      await addPicture(transaction, placeholder);
    await storeProducts(transaction, stored, merged);
    await lockStock(transaction, [...counted.keys()]);
    for (const [id, now] of counted) await editStock(transaction, id, { now });
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
const linesOf = (remarks: readonly Remark[], max = Number.POSITIVE_INFINITY): string[] =>
  [...Map.groupBy(remarks, ({ remark }) => remark)].map(([remark, list]) => {
    const titles = [...new Set(list.map(({ title }) => `“${title.slice(0, SHOWN_TITLE)}”`))].slice(0, max);
    const others = list.length > max ? ` and ${list.length - max} others` : '';
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
  const names = isDryRun ? undefined : await loadPictures(db, exported.products, fetchPicture, remarks);
  const taken = await store(db, exported.products, names, remarks);
  return [
    `${file} is a product export of ${exported.shop}. Its prices were read as rupees.`,
    ...linesOf(taken, SHOWN_TITLES),
    ...linesOf(remarks),
    'No product was removed. The stock is as in the file where it is counted there. SKUs, weights, tags and search texts are not taken.',
    isDryRun
      ? 'This was a dry run: nothing is stored, and no picture was loaded.'
      : 'Next: put new categories into the menu (Store, Categories), look through the catalogue, and publish.',
  ].join('\n');
}
