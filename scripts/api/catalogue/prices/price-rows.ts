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
import {
  endsAfterBegin,
  hasPriceForSale,
  momentText,
  NO_SALE_PRICE,
  NOT_AFTER_BEGIN,
  OptionalMomentTextSchema,
} from '#scripts/api/office/forms/moment.ts';
import type { PriceRow, SentRow } from './edit-prices.ts';

export interface PriceTable {
  readonly rows: readonly SentRow[];
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

const csvMoment = (iso: string | undefined): string => momentText(iso).replace('T', ' ');

/** An empty cell says that the sale has no such moment. */
const MomentCellSchema = v.pipe(
  OptionalMomentTextSchema,
  v.transform((moment) => moment ?? null),
);

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
  saleFrom: { head: 'sale from', text: ({ saleFrom }) => csvMoment(saleFrom), schema: MomentCellSchema },
  saleUntil: { head: 'sale until', text: ({ saleUntil }) => csvMoment(saleUntil), schema: MomentCellSchema },
} as const satisfies Readonly<Record<string, Column>>;

const { id, regularPrice, discountedPrice, saleFrom, saleUntil } = COLUMNS;

const REQUIRED: Readonly<Record<string, Column>> = { id, regularPrice, discountedPrice };

/** A file without these columns leaves the moments of all sales as they are. */
const OPTIONAL: Readonly<Record<string, Column>> = { saleFrom, saleUntil };

const READ = { ...REQUIRED, ...OPTIONAL };

export const MOST_ROWS = 20_000;

const headOf = (cell: string): string => cell.trim().toLowerCase().replaceAll('_', ' ');

const RowSchema = v.pipe(
  v.object({
    id: id.schema,
    regularPrice: regularPrice.schema,
    discountedPrice: discountedPrice.schema,
    saleFrom: v.optional(saleFrom.schema),
    saleUntil: v.optional(saleUntil.schema),
  }),
  v.forward(v.partialCheck([['regularPrice'], ['discountedPrice']], isSaleBelowRegular, NOT_BELOW_REGULAR), [
    'discountedPrice',
  ]),
  v.forward(
    v.partialCheck([['discountedPrice'], ['saleFrom'], ['saleUntil']], hasPriceForSale, NO_SALE_PRICE),
    ['discountedPrice'],
  ),
  v.forward(v.partialCheck([['saleFrom'], ['saleUntil']], endsAfterBegin, NOT_AFTER_BEGIN), ['saleUntil']),
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
  const placesOf = (columns: Readonly<Record<string, Column>>) =>
    Object.entries(columns).map(([name, column]) => [name, heads.indexOf(column.head)] as const);
  const required = placesOf(REQUIRED);
  const places = [...required, ...placesOf(OPTIONAL).filter(([, place]) => place >= 0)];
  if (required.some(([, place]) => place < 0)) {
    return refuse(head?.line ?? 1, 'The first line must name the columns id, regular price and sale price.');
  }
  if (body.length > MOST_ROWS)
    return refuse(body[MOST_ROWS]?.line ?? 1, `There are more than ${MOST_ROWS} rows.`);
  const rows: SentRow[] = [];
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

/** Rows as the text of a hidden field: id, both prices, and from when until when the reduced one counts. */
export const rowsText = (rows: readonly PriceRow[]): string =>
  rows
    .map(({ id, regularPrice, discountedPrice, saleFrom, saleUntil }) =>
      [id, regularPrice, discountedPrice ?? '-', saleFrom ?? '-', saleUntil ?? '-'].join(' '),
    )
    .join('\n');

const given = (text: string | undefined): string | null => (text === undefined || text === '-' ? null : text);

/** Reads what `rowsText` has written. It is checked by `setPrices`. */
export const readRowsText = (text: string): unknown[] =>
  text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => {
      const [id, regularPrice, discountedPrice, saleFrom, saleUntil] = line.split(' ');
      return {
        id,
        regularPrice: Number(regularPrice),
        discountedPrice: given(discountedPrice) === null ? null : Number(discountedPrice),
        saleFrom: given(saleFrom),
        saleUntil: given(saleUntil),
      };
    });
