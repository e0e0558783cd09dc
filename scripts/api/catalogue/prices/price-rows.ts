import * as v from 'valibot';
import type { ListedProduct } from '#scripts/api/catalogue/product-list.ts';
import { ProductIdSchema } from '#scripts/api/catalogue/schema.ts';
import { CsvError, type CsvRow, readCsv } from '#scripts/api/office/csv.ts';
import {
  isSaleBelowRegular,
  NOT_BELOW_REGULAR,
  OptionalRupeesTextSchema,
  RupeesTextSchema,
  rupeesText,
} from '#scripts/api/office/forms/amount.ts';
import type { PriceRow } from './edit-prices.ts';

export interface PriceTable {
  readonly rows: readonly PriceRow[];
  /** The line of each row. */
  readonly lines: readonly number[];
  /** What is wrong, by line. */
  readonly problems: readonly RowProblem[];
}

export interface RowProblem {
  readonly line: number;
  /** '' where the line has none. */
  readonly id: string;
  /** A sentence. */
  readonly reason: string;
}

interface Column {
  readonly head: string;
  /** What the file that is downloaded holds. */
  readonly text: (product: ListedProduct) => string;
  /** How a file that was sent is read; left out where the column is for people only. */
  readonly schema?: v.GenericSchema<string, unknown>;
}

/** The columns of the file, in their order. In a file that is sent, others may stand beside them. */
export const COLUMNS = {
  id: { head: 'id', text: ({ id }) => id, schema: v.pipe(v.string(), v.trim(), ProductIdSchema) },
  title: { head: 'title', text: ({ title }) => title },
  regularPrice: {
    head: 'regular price',
    text: ({ regularPrice }) => rupeesText(regularPrice),
    schema: RupeesTextSchema,
  },
  discountedPrice: {
    head: 'sale price',
    text: ({ discountedPrice }) => rupeesText(discountedPrice),
    schema: OptionalRupeesTextSchema,
  },
} as const satisfies Readonly<Record<string, Column>>;

const { id, regularPrice, discountedPrice } = COLUMNS;

const READ: Readonly<Record<string, Column>> = { id, regularPrice, discountedPrice };

export const MOST_ROWS = 20_000;

const headOf = (cell: string): string => cell.trim().toLowerCase().replaceAll('_', ' ');

const RowSchema = v.pipe(
  v.object({
    id: id.schema,
    regularPrice: regularPrice.schema,
    discountedPrice: discountedPrice.schema,
  }),
  v.forward(v.partialCheck([['regularPrice'], ['discountedPrice']], isSaleBelowRegular, NOT_BELOW_REGULAR), [
    'discountedPrice',
  ]),
);

const refuse = (line: number, reason: string): PriceTable => ({
  rows: [],
  lines: [],
  problems: [{ line, id: '', reason }],
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
  const places = Object.entries(READ).map(([name, column]) => [name, heads.indexOf(column.head)] as const);
  if (places.some(([, place]) => place < 0)) {
    return refuse(head?.line ?? 1, 'The first line must name the columns id, regular price and sale price.');
  }
  if (body.length > MOST_ROWS)
    return refuse(body[MOST_ROWS]?.line ?? 1, `There are more than ${MOST_ROWS} rows.`);
  const rows: PriceRow[] = [];
  const lines: number[] = [];
  const problems: RowProblem[] = [];
  for (const { line, cells } of body) {
    const sent = Object.fromEntries(places.map(([name, place]) => [name, cells[place] ?? '']));
    const parsed = v.safeParse(RowSchema, sent);
    if (parsed.success) {
      rows.push(parsed.output);
      lines.push(line);
    } else {
      const [issue] = parsed.issues;
      const column = READ[String(issue.path?.[0]?.key)];
      const label = column ? `The ${column.head}` : 'The line';
      problems.push({ line, id: (sent.id ?? '').trim(), reason: `${label} ${issue.message}.` });
    }
  }
  return { rows, lines, problems };
}

/** Rows as the text of a hidden field: id and both prices. */
export const rowsText = (rows: readonly PriceRow[]): string =>
  rows
    .map(({ id, regularPrice, discountedPrice }) => [id, regularPrice, discountedPrice ?? '-'].join(' '))
    .join('\n');

/** Reads what `rowsText` has written. It is checked by `setPrices`. */
export const readRowsText = (text: string): unknown[] =>
  text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => {
      const [id, regularPrice, discountedPrice] = line.split(' ');
      return {
        id,
        regularPrice: Number(regularPrice),
        discountedPrice: discountedPrice === '-' ? null : Number(discountedPrice),
      };
    });
