import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { payableAt, priceMoments } from '#domain/sale.ts';
import { tidyText } from '#domain/text.ts';
import { CsvError, csvLine, readCsv } from '#server/admin/csv.ts';
import { momentText, PricesSchema, rupeesText } from '#server/admin/forms/prices.ts';
import type { ListedProduct } from '#server/catalogue/product-list.tsx';
import { type CatalogueProduct, ProductIdSchema } from '#server/catalogue/schema.ts';
import { type StoredProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader } from '#server/db/database.ts';
import { tidiedCode } from '#server/services/plain-text.ts';

/** The columns of a price file by field. Other columns are ignored. */
const HEADS = {
  id: 'id',
  regularPrice: 'regular price',
  discountedPrice: 'sale price',
  saleFrom: 'sale from',
  saleUntil: 'sale until',
} as const;

/** A file without these columns leaves the times of all sales as they are. */
const isOptional = (field: string): boolean => field === 'saleFrom' || field === 'saleUntil';

const RowSchema = v.intersect([
  v.object({ id: v.pipe(v.string(), v.trim(), v.maxLength(200), tidiedCode, ProductIdSchema) }),
  PricesSchema,
]);

export interface RowProblem {
  readonly line: number;
  /** '' if the line has none. */
  readonly id: string;
  readonly reason: string;
}

interface Row {
  readonly line: number;
  /** The fields whose column the file has. */
  readonly has: ReadonlySet<string>;
  readonly prices: v.InferOutput<typeof RowSchema>;
}

export interface PriceFile {
  readonly rows: readonly Row[];
  readonly problems: readonly RowProblem[];
}

const MOST_ROWS = 20_000;

export async function readPriceFile(text: string): Promise<PriceFile> {
  const unreadable = (line: number, reason: string) => ({ rows: [], problems: [{ line, id: '', reason }] });
  const read = await readCsv(text, MOST_ROWS + 2).catch((error: unknown) => {
    if (error instanceof CsvError) return error;
    throw error;
  });
  if (read instanceof CsvError) return unreadable(read.line, read.message);
  const [head, ...body] = read;
  const names = (head?.cells ?? []).map((cell) => tidyText(cell).toLowerCase().replaceAll('_', ' '));
  const columns = Object.entries(HEADS).map(([field, name]) => ({ field, place: names.indexOf(name) }));
  if (columns.some(({ field, place }) => place < 0 && !isOptional(field)))
    return unreadable(1, 'The first line must name the columns id, regular price and sale price.');
  if (body.length > MOST_ROWS) return unreadable(MOST_ROWS, `There are more than ${MOST_ROWS} rows.`);
  const rows: Row[] = [];
  const problems: RowProblem[] = [];
  const has = new Set(columns.flatMap(({ field, place }) => (place < 0 ? [] : field)));
  for (const { line, cells: all } of body) {
    const cells: Readonly<Record<string, string>> = Object.fromEntries(
      columns.map(({ field, place }) => [field, all[place] ?? '']),
    );
    const parsed = v.safeParse(RowSchema, cells);
    if (parsed.success) rows.push({ line, has, prices: parsed.output });
    else {
      const [issue] = parsed.issues;
      const [, name = 'line'] = Object.entries(HEADS).find(([field]) => field === issue.path?.[0]?.key) ?? [];
      problems.push({ line, id: (cells.id ?? '').trim(), reason: `The ${name} ${issue.message}.` });
    }
  }
  return { rows, problems };
}

/** Units: rupees. */
export const pricesOf = ({ regularPrice, discountedPrice, saleFrom, saleUntil }: CatalogueProduct) => ({
  regularPrice,
  discountedPrice,
  ...(saleFrom === undefined ? {} : { saleFrom }),
  ...(saleUntil === undefined ? {} : { saleUntil }),
});

/** Returns the product with the prices of a row. Without a sale price it has no sale times. */
function repriced(
  { saleFrom, saleUntil, ...product }: CatalogueProduct,
  { has, prices }: Row,
): CatalogueProduct {
  const { regularPrice, discountedPrice } = prices;
  const from = has.has('saleFrom') ? prices.saleFrom : saleFrom;
  const until = has.has('saleUntil') ? prices.saleUntil : saleUntil;
  const priced = { ...product, regularPrice, discountedPrice };
  if (discountedPrice === null) return priced;
  return { ...priced, ...(from && { saleFrom: from }), ...(until && { saleUntil: until }) };
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

/** Returns the changes of a file. Rows that change nothing are left out. @param now ms since 1970 */
export async function priceChanges(
  db: Reader,
  file: PriceFile,
  now: number,
): Promise<{ readonly changes: readonly PriceChange[]; readonly problems: readonly RowProblem[] }> {
  const stored = new Map((await storedProducts(db)).map((each) => [each.product.id, each]));
  const problems = [...file.problems];
  const changes: PriceChange[] = [];
  const ids = new Set<string>();
  for (const row of file.rows) {
    const { id } = row.prices;
    const before = stored.get(id);
    if (ids.has(id)) problems.push({ line: row.line, id, reason: 'The id is in the file twice.' });
    else if (!before) problems.push({ line: row.line, id, reason: 'There is no product with this id.' });
    else {
      const after = repriced(before.product, row);
      if (!isDeepStrictEqual(after, before.product))
        changes.push({ before, after, ...largestChange(before.product, after, now) });
    }
    ids.add(id);
  }
  return { changes, problems: problems.toSorted((one, other) => one.line - other.line) };
}

const csvMoment = (iso: string | undefined): string => momentText(iso).replace('T', ' ');

/** The lines of the download. The title column is only for people. */
export async function* priceLines(products: readonly ListedProduct[]): AsyncGenerator<string> {
  yield csvLine([HEADS.id, 'title', ...Object.values(HEADS).slice(1)]);
  for (const { id, title, regularPrice, discountedPrice, saleFrom, saleUntil } of products)
    yield csvLine([
      id,
      title,
      { plain: rupeesText(regularPrice) },
      { plain: rupeesText(discountedPrice) },
      { plain: csvMoment(saleFrom) },
      { plain: csvMoment(saleUntil) },
    ]);
}
