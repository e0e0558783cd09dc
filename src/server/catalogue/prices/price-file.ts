import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { sizesOf } from '#domain/attributes.ts';
import { isTooLate, payableAt, priceMoments } from '#domain/sale.ts';
import { tidyCode } from '#domain/text.ts';
import { CsvError, csvLine, readTable } from '#server/admin/csv.ts';
import { momentText, PricesSchema, rupeesText } from '#server/admin/forms/prices.ts';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { isSameProduct, type StoredProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader } from '#server/db/database.ts';
import {
  piecesOf,
  readStock,
  type StockEdit,
  type StockRow,
  stockEdits,
  stockText,
} from '#server/stock/stock-facts.ts';
import { wholeStock } from '#server/stock/stored-stock.ts';

/** The columns of a price file by field. Other columns are ignored. */
const HEADS = {
  id: 'id',
  regularPrice: 'regular price',
  discountedPrice: 'sale price',
  saleFrom: 'sale from',
  saleUntil: 'sale until',
  stock: 'stock',
  /** With it the stock changes by the difference, without it the file sets it. */
  stockBefore: 'stock when downloaded',
  /** The same in all rows of a download. A file that is used twice does not change the stock twice. */
  download: 'download',
} as const;

/** A file without the other columns leaves the times of sales and the stock as they are. */
const REQUIRED: readonly string[] = [HEADS.id, HEADS.regularPrice, HEADS.discountedPrice];

const MAX_ROWS = 20_000;

export interface RowProblem {
  readonly line: number;
  /** '' if the line has none. */
  readonly id: string;
  readonly reason: string;
}

/** Names every row that cannot be used. Nothing of such a file is used. */
export class UnusableFile extends Error {
  readonly problems: readonly RowProblem[];

  constructor(problems: readonly RowProblem[]) {
    super('The price file cannot be used.');
    this.problems = problems;
  }
}

interface PriceRow {
  readonly line: number;
  /** By field. A column that the file lacks is missing. */
  readonly texts: Readonly<Partial<Record<string, string>>>;
}

/** @throws UnusableFile */
export async function readPriceFile(text: string): Promise<PriceRow[]> {
  try {
    const { heads, rows } = await readTable(text, MAX_ROWS);
    if (REQUIRED.some((head) => !heads.includes(head)))
      throw new CsvError(1, 'The first line must name the columns id, regular price and sale price.');
    const columns = Object.entries(HEADS).filter(([, head]) => heads.includes(head));
    return rows.map(({ line, cells }) => ({
      line,
      texts: Object.fromEntries(columns.map(([field, head]) => [field, cells[head] ?? ''])),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnusableFile([{ line: error.line, id: '', reason: error.message }]);
  }
}

type Priced = Pick<CatalogueProduct, 'regularPrice' | 'discountedPrice' | 'saleFrom' | 'saleUntil'>;

/** Units: rupees. */
export const pricesOf = ({ regularPrice, discountedPrice, saleFrom, saleUntil }: Priced): Priced => ({
  regularPrice,
  discountedPrice,
  saleFrom,
  saleUntil,
});

/** The prices of a product as texts, as a file and a form have them. */
const priceTexts = ({ regularPrice, discountedPrice, saleFrom, saleUntil }: Priced) => ({
  regularPrice: rupeesText(regularPrice),
  discountedPrice: rupeesText(discountedPrice),
  saleFrom: momentText(saleFrom).replace('T', ' '),
  saleUntil: momentText(saleUntil).replace('T', ' '),
});

/** Returns the product with the prices of a row, or why they cannot be used. Without a sale price it has no sale times. */
function repriced(product: CatalogueProduct, texts: PriceRow['texts']): CatalogueProduct | string {
  const { saleFrom, saleUntil } = priceTexts(product);
  const times = texts.discountedPrice === '' ? { saleFrom: '', saleUntil: '' } : { saleFrom, saleUntil };
  const parsed = v.safeParse(PricesSchema, { ...times, ...texts });
  if (parsed.success) return { ...product, ...parsed.output };
  const [{ path, message }] = parsed.issues;
  const [, head = 'line'] = Object.entries(HEADS).find(([field]) => field === path?.[0]?.key) ?? [];
  return `The ${head} ${message}.`;
}

/** The largest change of the price that customers pay, now or when a sale begins or ends later. Units: paise. */
interface PaidChange {
  readonly from: number;
  readonly to: number;
  /** The relative change: 0.3 is 30 % up. Infinity if it was 0. */
  readonly by: number;
  /** When it begins, in ms since 1970; undefined for now. */
  readonly at: number | undefined;
}

interface StockChange {
  readonly edit: StockEdit;
  /** Such as '12 → 15'; and '15, now 7' if the file sets it. */
  readonly text: string;
}

export interface PriceChange extends PaidChange {
  readonly before: CatalogueProduct;
  readonly after: CatalogueProduct;
  readonly stock: StockChange | undefined;
}

/** Returns what a row changes of the stock, or why it cannot be used. */
function stockChange(
  product: CatalogueProduct,
  { stock: input, stockBefore: shown, download }: PriceRow['texts'],
  stored: readonly StockRow[] = [],
): StockChange | string | undefined {
  // An empty cell of a plain list says nothing.
  if (input === undefined || input === (shown ?? '')) return undefined;
  const sizes = sizesOf(product.attributes);
  const [now, before] = [readStock(input, sizes), shown === undefined ? undefined : readStock(shown)];
  if (typeof now === 'string') return `The stock ${now}.`;
  if (typeof before === 'string') return `The stock when downloaded ${before}.`;
  const edit = { now, before, download };
  if (stockEdits(stored, edit).length === 0) return undefined;
  const texts = [before ?? piecesOf(stored), now].map((pieces) => stockText(pieces, sizes) || 'not counted');
  const [was, is] = texts;
  return { edit, text: before ? `${was} → ${is}` : `set to ${is}, now ${was}` };
}

function largestChange(before: CatalogueProduct, after: CatalogueProduct, now: number): PaidChange {
  const later = [...priceMoments(before), ...priceMoments(after)].filter((moment) => moment > now);
  const changes = [undefined, ...later.toSorted((one, other) => one - other)].map((at): PaidChange => {
    const [from, to] = [payableAt(before, at ?? now), payableAt(after, at ?? now)];
    return { from, to, by: to === from ? 0 : (to - from) / from, at };
  });
  return changes.reduce((largest, each) => (Math.abs(each.by) > Math.abs(largest.by) ? each : largest));
}

const tooLate = (product: Priced): string =>
  `The sale ended on ${priceTexts(product).saleUntil}, so this sale price would not count. Give it a later sale until, or an empty one.`;

/** Returns the changes of a file, without rows that change nothing. @param now ms since 1970 @throws UnusableFile */
export async function priceChanges(
  db: Reader,
  rows: readonly PriceRow[],
  now: number,
): Promise<readonly PriceChange[]> {
  const stored = new Map((await storedProducts(db)).map(({ product }) => [product.id, product]));
  const stocks = await wholeStock(db);
  const problems: RowProblem[] = [];
  const changes: PriceChange[] = [];
  const ids = new Set<string>();
  for (const { line, texts } of rows) {
    const id = tidyCode(texts.id ?? '');
    const before = stored.get(id);
    const after = before ? repriced(before, texts) : 'There is no product with this id.';
    const stock = before && stockChange(before, texts, stocks.get(id));
    if (ids.has(id)) problems.push({ line, id, reason: 'The id is in the file twice.' });
    else if (typeof after === 'string') problems.push({ line, id, reason: after });
    else if (before && isTooLate(before, after, now)) problems.push({ line, id, reason: tooLate(after) });
    else if (typeof stock === 'string') problems.push({ line, id, reason: stock });
    else if (before && (stock || !isSameProduct(after, before)))
      changes.push({ before, after, stock, ...largestChange(before, after, now) });
    ids.add(id);
  }
  if (problems.length > 0) throw new UnusableFile(problems);
  return changes;
}

/** The lines of the download. The title column is only for people. */
export async function* priceLines(
  products: readonly StoredProduct[],
  stocks: Awaited<ReturnType<typeof wholeStock>>,
): AsyncGenerator<string> {
  const { id, ...others } = HEADS;
  // The letter keeps spreadsheets from reading it as a number.
  const download = `d${randomUUID().slice(0, 8)}`;
  yield csvLine([id, 'title', ...Object.values(others)]);
  for (const { product } of products) {
    const stock = stockText(piecesOf(stocks.get(product.id)), sizesOf(product.attributes));
    const plain = [...Object.values(priceTexts(product)), stock, stock, download];
    yield csvLine([product.id, product.title, ...plain.map((each) => ({ plain: each }))]);
  }
}
