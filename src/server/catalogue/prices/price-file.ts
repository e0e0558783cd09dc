import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { payableAt, priceMoments } from '#domain/sale.ts';
import { tidyCode, tidyText } from '#domain/text.ts';
import { CsvError, type CsvRow, csvLine, readCsv } from '#server/admin/csv.ts';
import { momentText, PricesSchema, rupeesText } from '#server/admin/forms/prices.ts';
import type { ListedProduct } from '#server/catalogue/product-list.tsx';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { type StoredProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader } from '#server/db/database.ts';

/** The columns of a price file by field. Other columns are ignored. */
const HEADS: Readonly<Record<string, string>> = {
  id: 'id',
  regularPrice: 'regular price',
  discountedPrice: 'sale price',
  saleFrom: 'sale from',
  saleUntil: 'sale until',
};

/** A file without these columns leaves the times of sales as they are. */
const OPTIONAL = ['saleFrom', 'saleUntil'];

const MOST_ROWS = 20_000;

type PriceFile = readonly CsvRow[] | CsvError;

export const readPriceFile = (text: string): Promise<PriceFile> =>
  readCsv(text, MOST_ROWS + 2).catch((error: unknown) => {
    if (error instanceof CsvError) return error;
    throw error;
  });

/** The prices of a product as texts, as a file and a form have them. */
const priceTexts = ({ regularPrice, discountedPrice, saleFrom, saleUntil }: Priced) => ({
  regularPrice: rupeesText(regularPrice),
  discountedPrice: rupeesText(discountedPrice),
  saleFrom: momentText(saleFrom).replace('T', ' '),
  saleUntil: momentText(saleUntil).replace('T', ' '),
});

type Priced = Pick<CatalogueProduct, 'regularPrice' | 'discountedPrice' | 'saleFrom' | 'saleUntil'>;

/** Units: rupees. */
export const pricesOf = ({ regularPrice, discountedPrice, saleFrom, saleUntil }: Priced): Priced => ({
  regularPrice,
  discountedPrice,
  ...(saleFrom && { saleFrom }),
  ...(saleUntil && { saleUntil }),
});

/** Returns the product with the prices of a row, or why they cannot be used. Without a sale price it has no sale times. */
function repriced(
  product: CatalogueProduct,
  cells: Readonly<Record<string, string>>,
): CatalogueProduct | string {
  const { saleFrom, saleUntil } =
    cells.discountedPrice === '' ? { saleFrom: '', saleUntil: '' } : priceTexts(product);
  const parsed = v.safeParse(PricesSchema, { saleFrom, saleUntil, ...cells });
  if (!parsed.success) {
    const [{ path, message }] = parsed.issues;
    return `The ${HEADS[String(path?.[0]?.key)] ?? 'line'} ${message}.`;
  }
  const { saleFrom: _from, saleUntil: _until, ...rest } = product;
  const { discountedPrice, ...prices } = parsed.output;
  return discountedPrice === null
    ? { ...rest, regularPrice: prices.regularPrice, discountedPrice }
    : { ...rest, ...pricesOf(parsed.output) };
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

export interface PriceChange extends PaidChange {
  readonly before: StoredProduct;
  readonly after: CatalogueProduct;
}

function largestChange(before: CatalogueProduct, after: CatalogueProduct, now: number): PaidChange {
  const later = [...priceMoments(before), ...priceMoments(after)].filter((moment) => moment > now);
  const changes = [undefined, ...later.toSorted((one, other) => one - other)].map((at): PaidChange => {
    const [from, to] = [payableAt(before, at ?? now), payableAt(after, at ?? now)];
    return { from, to, by: to === from ? 0 : (to - from) / from, at };
  });
  return changes.reduce((most, each) => (Math.abs(each.by) > Math.abs(most.by) ? each : most));
}

export interface RowProblem {
  readonly line: number;
  /** '' if the line has none. */
  readonly id: string;
  readonly reason: string;
}

/** Returns the changes of a file. Rows that change nothing are left out. @param now ms since 1970 */
export async function priceChanges(
  db: Reader,
  file: PriceFile,
  now: number,
): Promise<{ readonly changes: readonly PriceChange[]; readonly problems: readonly RowProblem[] }> {
  const unreadable = (line: number, reason: string) => ({
    changes: [],
    problems: [{ line, id: '', reason }],
  });
  if (file instanceof CsvError) return unreadable(file.line, file.message);
  const [head, ...body] = file;
  const names = (head?.cells ?? []).map((cell) => tidyText(cell).toLowerCase().replaceAll('_', ' '));
  const columns = Object.entries(HEADS).map(([field, name]) => ({ field, place: names.indexOf(name) }));
  const present = columns.filter(({ place }) => place >= 0);
  if (columns.some((column) => !present.includes(column) && !OPTIONAL.includes(column.field)))
    return unreadable(1, 'The first line must name the columns id, regular price and sale price.');
  if (body.length > MOST_ROWS) return unreadable(MOST_ROWS, `There are more than ${MOST_ROWS} rows.`);

  const stored = new Map((await storedProducts(db)).map((each) => [each.product.id, each]));
  const problems: RowProblem[] = [];
  const changes: PriceChange[] = [];
  const ids = new Set<string>();
  for (const { line, cells } of body) {
    const texts = Object.fromEntries(present.map(({ field, place }) => [field, cells[place]?.trim() ?? '']));
    const id = tidyCode(texts.id ?? '');
    const before = stored.get(id);
    const after = ids.has(id)
      ? 'The id is in the file twice.'
      : before
        ? repriced(before.product, texts)
        : 'There is no product with this id.';
    ids.add(id);
    if (typeof after === 'string') problems.push({ line, id, reason: after });
    else if (before && !isDeepStrictEqual(after, before.product))
      changes.push({ before, after, ...largestChange(before.product, after, now) });
  }
  return { changes, problems };
}

/** The lines of the download. The title column is only for people. */
export async function* priceLines(products: readonly ListedProduct[]): AsyncGenerator<string> {
  const [id = '', ...others] = Object.values(HEADS);
  yield csvLine([id, 'title', ...others]);
  for (const product of products)
    yield csvLine([
      product.id,
      product.title,
      ...Object.values(priceTexts(product)).map((plain) => ({ plain })),
    ]);
}
