import { isBeforeDay } from '#domain/buying/availability.ts';
import type { ProductTerms, StockState } from '#domain/buying/facts.ts';
import { FEW } from '#domain/buying/rules.ts';
import { foldText } from '#domain/fold-text.ts';
import { readNumber } from '#domain/number-input.ts';
import { tidyText } from '#domain/text.ts';

/**
 * The counted pieces of a product by size; those under '' are of all its sizes. Empty if it is not counted. A product that
 * is counted by size has none of the sizes that are missing.
 */
export type Pieces = ReadonlyMap<string, number>;

function stateOf(left: number | undefined): StockState {
  if (left === undefined || left > FEW) return 'in_stock';
  return left === 0 ? 'sold_out' : 'few_left';
}

const told = (left: number | undefined): number | undefined =>
  left !== undefined && left <= FEW ? left : undefined;

const coarse = (availability: StockState): StockState =>
  availability === 'few_left' ? 'in_stock' : availability;

/** Pieces up to which a shopper is told how many are left. Fewer than the minimum of an order cannot be sold. */
export const shownUpTo = ({ minPerOrder = 0 }: ProductTerms): number => Math.max(FEW, minPerOrder);

/** What the rules and the API say about a product's stock. @param now ms since 1970 */
export function stockFacts(terms: ProductTerms, ownSizes: readonly string[], pieces: Pieces, now: number) {
  const { backOn, minPerOrder, maxPerOrder } = terms;
  const ofAll = pieces.get('');
  const counted = pieces.size === 0 || ofAll !== undefined ? [] : ownSizes;
  const rows = counted.length > 0 ? counted.map((size) => pieces.get(size) ?? 0) : [...pieces.values()];
  const total = rows.length > 0 ? rows.reduce((sum, each) => sum + each, 0) : undefined;
  const isEnough = total === undefined || total >= (minPerOrder ?? 0);
  const left = isEnough ? total : 0;
  const sizes = counted.map((size, index) => {
    const ofSize = isEnough ? rows[index] : 0;
    return { size, availability: stateOf(ofSize), left: ofSize };
  });
  const availability: StockState = isBeforeDay(backOn, now) ? 'back_on' : stateOf(left);
  return { backOn, minPerOrder, maxPerOrder, availability, left, sizes };
}

type StockFacts = ReturnType<typeof stockFacts>;

/** What GET /products/{id} says of a product's stock: how many are left where they are few. */
export const detailedStock = ({ availability, left, sizes }: StockFacts) => ({
  availability,
  left: told(left),
  ...(sizes.length > 0 && { sizes: sizes.map((size) => ({ ...size, left: told(size.left) })) }),
});

/** What lists say: without numbers, so that a sale changes them only where something is sold out. */
export const listedStock = ({ availability, sizes }: StockFacts) => ({
  availability: coarse(availability),
  ...(sizes.some((size) => size.availability === 'sold_out') && {
    sizes: sizes.map((size) => ({ size: size.size, availability: coarse(size.availability) })),
  }),
});

export interface StockRow {
  readonly productId: string;
  readonly size: string;
  readonly pieces: number;
  /** The price file that last changed it, and the pieces that it had. */
  readonly download: string;
  readonly downloadPieces: number | null;
}

export const piecesOf = (rows: readonly StockRow[] = []): Pieces =>
  new Map(rows.map(({ size, pieces }) => [size, pieces]));

export interface StockEdit {
  readonly now: Pieces;
  /** What the form or the file had at first. Without it, the numbers are set. */
  readonly before?: Pieces | undefined;
  /** The code of the download from which a file was made. */
  readonly download?: string | undefined;
}

/**
 * Returns the rows that an edit changes, with their pieces; undefined if they are no longer counted. A number changes a row by
 * its difference to `before`, so that what was sold meanwhile stays sold, though never below 0. A file that is used again
 * counts from what it had the last time.
 */
export function stockEdits(rows: readonly StockRow[], { now, before, download }: StockEdit) {
  const stored = new Map(rows.map((row) => [row.size, row]));
  const sizes = [...new Set([...stored.keys(), ...(before?.keys() ?? []), ...now.keys()])];
  return sizes.flatMap((size) => {
    const [row, input] = [stored.get(size), now.get(size)];
    const isUsedAgain = download && row?.download === download;
    const was = isUsedAgain ? (row.downloadPieces ?? undefined) : before?.get(size);
    if (input === (before ? was : row?.pieces)) return [];
    const isDifference = input !== undefined && was !== undefined && row;
    return [{ size, input, pieces: isDifference ? Math.max(0, row.pieces + input - was) : input }];
  });
}

export interface Goods {
  readonly productId: string;
  /** '' if the order names none. */
  readonly size: string;
  readonly pieces: number;
}

/** The counted pieces by product, such as those that a transaction has locked. */
export type Stock = Map<string, Map<string, number>>;

/** Which row of the stock goods come from, or go to. */
export interface Move {
  readonly goods: Goods;
  readonly row: string;
}

/**
 * Moves goods out of the stock, or into it, and returns the moves of those that are counted. They change the row of their size,
 * else the one of all sizes. Goods without a size come from the sizes, and go to them, the largest stock first.
 */
export function moveGoods(stock: Stock, goods: readonly Goods[], sign: 1 | -1): Move[] {
  // Those without a size take what the others leave.
  const sizedFirst = goods.toSorted((one, other) => Number(one.size === '') - Number(other.size === ''));
  return sizedFirst.flatMap(({ productId, size, pieces }) => {
    const rows = stock.get(productId) ?? new Map<string, number>();
    const row = [size, ''].find((each) => rows.has(each));
    const largestFirst = [...rows].toSorted(([, one], [, other]) => other - one);
    const from = row === undefined ? largestFirst.filter(() => size === '') : [[row, pieces] as const];
    let rest = pieces;
    return from.flatMap(([name, most], index) => {
      const part = index === from.length - 1 ? rest : Math.min(rest, most);
      rest -= part;
      if (part === 0) return [];
      rows.set(name, (rows.get(name) ?? 0) + sign * part);
      return [{ goods: { productId, size: name || size, pieces: part }, row: name }];
    });
  });
}

/* Stock as the staff read and type it: '12', or a line such as 'M: 5' for each size. */

const MAX_PIECES = 1_000_000;

/** @param sizes of the product, in whose order they are listed */
export const stockText = (pieces: Pieces, sizes: readonly string[] = [], separator = '; '): string =>
  [...new Set([...sizes.filter((size) => pieces.has(size)), ...pieces.keys()])]
    .map((size) => (size === '' ? '' : `${size}: `) + String(pieces.get(size)))
    .join(separator);

/**
 * Parses the text of a stock field. Returns an error if it is invalid; it follows the name of the field.
 * @param sizes of the product; without them any size is accepted
 */
export function readStock(text: string, sizes?: readonly string[]): Pieces | string {
  const pieces = new Map<string, number>();
  for (const line of text.split(/[\n;]/).map(tidyText).filter(Boolean)) {
    const colon = line.lastIndexOf(':');
    const named = line.slice(0, Math.max(0, colon)).trim();
    const count = readNumber(line.slice(colon + 1)) ?? Number.NaN;
    if (!Number.isInteger(count) || count > MAX_PIECES)
      return 'must be a whole number, or a line such as M: 5 for each size';
    const size = sizes?.find((each) => foldText(each) === foldText(named)) ?? named;
    if (sizes && size !== '' && !sizes.includes(size)) return `names ${size}, which is not one of the sizes`;
    if (pieces.has(size)) return size === '' ? 'must be one number' : `names ${size} twice`;
    pieces.set(size, count);
  }
  const missing = pieces.size === 0 || pieces.has('') ? undefined : sizes?.find((size) => !pieces.has(size));
  if (missing !== undefined) return `lacks ${missing}: write 0 if it is sold out`;
  return pieces.has('') && pieces.size > 1 ? 'must be one number, or a line for each size' : pieces;
}
