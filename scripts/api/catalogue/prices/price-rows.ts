import * as v from 'valibot';
import { ProductIdSchema } from '#scripts/api/catalogue/schema.ts';
import { CsvError, type CsvRow, readCsv } from '#scripts/api/office/csv.ts';
import {
  isSaleBelowRegular,
  NOT_BELOW_REGULAR,
  OptionalRupeesTextSchema,
  RupeesTextSchema,
} from '#scripts/api/office/forms/amount.ts';
import type { PriceRow } from './edit-prices.ts';

export interface PriceTable {
  readonly rows: readonly PriceRow[];
  /** The line of each row. */
  readonly lines: readonly number[];
  /** What is wrong, by line. */
  readonly refusals: readonly Refusal[];
}

export interface Refusal {
  readonly line: number;
  /** '' where the line has none. */
  readonly id: string;
  /** A sentence. */
  readonly reason: string;
}

/** The heads of the columns. Others may stand beside them. */
export const COLUMNS = { id: 'id', title: 'title', regular: 'regular price', sale: 'sale price' } as const;

export const MOST_ROWS = 20_000;

const headOf = (cell: string): string => cell.trim().toLowerCase().replaceAll('_', ' ');

const RowSchema = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.trim(), ProductIdSchema),
    regularPrice: RupeesTextSchema,
    discountedPrice: OptionalRupeesTextSchema,
  }),
  v.forward(v.partialCheck([['regularPrice'], ['discountedPrice']], isSaleBelowRegular, NOT_BELOW_REGULAR), [
    'discountedPrice',
  ]),
);

const LABELS: Readonly<Record<string, string>> = {
  id: 'The id',
  regularPrice: 'The regular price',
  discountedPrice: 'The sale price',
};

const refuse = (line: number, reason: string): PriceTable => ({
  rows: [],
  lines: [],
  refusals: [{ line, id: '', reason }],
});

/** Reads the prices of a CSV text. Whether there are such products is not looked at. */
export async function readPriceTable(text: string): Promise<PriceTable> {
  try {
    return priceTable(await readCsv(text, MOST_ROWS + 2));
  } catch (error) {
    if (error instanceof CsvError) return refuse(error.line, error.message);
    throw error;
  }
}

function priceTable([head, ...body]: readonly CsvRow[]): PriceTable {
  const heads = (head?.cells ?? []).map(headOf);
  const [id, regular, sale] = [COLUMNS.id, COLUMNS.regular, COLUMNS.sale].map((name) => heads.indexOf(name));
  if (id === undefined || regular === undefined || sale === undefined || Math.min(id, regular, sale) < 0) {
    return refuse(head?.line ?? 1, 'The first line must name the columns id, regular price and sale price.');
  }
  if (body.length > MOST_ROWS)
    return refuse(body[MOST_ROWS]?.line ?? 1, `There are more than ${MOST_ROWS} rows.`);
  const rows: PriceRow[] = [];
  const lines: number[] = [];
  const refusals: Refusal[] = [];
  for (const { line, cells } of body) {
    const parsed = v.safeParse(RowSchema, {
      id: cells[id] ?? '',
      regularPrice: cells[regular] ?? '',
      discountedPrice: cells[sale] ?? '',
    });
    if (parsed.success) {
      rows.push(parsed.output);
      lines.push(line);
    } else {
      const [issue] = parsed.issues;
      const label = LABELS[String(issue.path?.[0]?.key)] ?? 'The line';
      refusals.push({ line, id: (cells[id] ?? '').trim(), reason: `${label} ${issue.message}.` });
    }
  }
  return { rows, lines, refusals };
}

/** Rows as the text of a hidden field: id, version, and both prices. */
export const rowsText = (rows: readonly PriceRow[]): string =>
  rows
    .map(({ id, version, regularPrice, discountedPrice }) =>
      [id, version, regularPrice, discountedPrice ?? '-'].join(' '),
    )
    .join('\n');

/** Reads what `rowsText` has written. It is checked by `setPrices`. */
export const readRowsText = (text: string): unknown[] =>
  text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => {
      const [id, version, regularPrice, discountedPrice] = line.split(' ');
      return {
        id,
        version: Number(version),
        regularPrice: Number(regularPrice),
        discountedPrice: discountedPrice === '-' ? null : Number(discountedPrice),
      };
    });
