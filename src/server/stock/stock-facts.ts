import { isBeforeDay } from '#domain/buying/availability.ts';
import type { ProductBuying, ProductTerms, SizeStock, StockState } from '#domain/buying/facts.ts';
import { FEW } from '#domain/buying/rules.ts';

/** The counted pieces of a product by size; those under '' are of the product without regard to sizes. */
export type Pieces = ReadonlyMap<string, number>;

/**
 * Whether pieces are counted by size. Then sizes without pieces are not counted. Otherwise the pieces under '' count for
 * all sizes.
 */
export const isCountedBySize = (sizes: readonly string[], pieces: Pieces): boolean =>
  sizes.some((size) => pieces.has(size));

function stateOf(left: number | undefined): StockState {
  if (left === undefined || left > FEW) return 'in_stock';
  return left === 0 ? 'sold_out' : 'few_left';
}

const sum = (numbers: readonly (number | undefined)[]): number | undefined =>
  numbers.reduce((total, each) => (total === undefined || each === undefined ? undefined : total + each), 0);

/** What the rules and the API say about a product's stock. @param now ms since 1970 */
export function stockFacts(
  terms: ProductTerms,
  sizes: readonly string[],
  pieces: Pieces,
  now: number,
): ProductBuying & { readonly availability: StockState; readonly sizes: readonly SizeStock[] } {
  const { backOn, minPerOrder = 0, maxPerOrder } = terms;
  const bySize = isCountedBySize(sizes, pieces);
  const total = bySize ? sum(sizes.map((size) => pieces.get(size))) : pieces.get('');
  // Fewer than an order must have cannot be sold.
  const isEnough = total === undefined || total >= minPerOrder;
  const leftOf = (size: string) => (isEnough ? pieces.get(size) : 0);
  const left = isEnough ? total : 0;
  return {
    backOn,
    minPerOrder: terms.minPerOrder,
    maxPerOrder,
    availability: isBeforeDay(backOn, now) ? 'back_on' : stateOf(left),
    left,
    sizes: bySize
      ? sizes.map((size) => ({ size, availability: stateOf(leftOf(size)), left: leftOf(size) }))
      : [],
  };
}

interface StockDto {
  readonly availability: StockState;
  readonly left?: number | undefined;
  readonly sizes?: readonly SizeStock[];
}

const told = (left: number | undefined): number | undefined =>
  left !== undefined && left <= FEW ? left : undefined;

/** What GET /products/{id} says of a product's stock: how many are left where they are few. */
export const detailedStock = ({ availability, left, sizes }: ReturnType<typeof stockFacts>): StockDto => ({
  availability,
  left: told(left),
  ...(sizes.length > 0 && { sizes: sizes.map((size) => ({ ...size, left: told(size.left) })) }),
});

const coarse = (availability: StockState): StockState =>
  availability === 'few_left' ? 'in_stock' : availability;

/** What lists say: without numbers, so that a sale changes them only where something is sold out. */
export const listedStock = ({ availability, sizes }: ReturnType<typeof stockFacts>): StockDto => ({
  availability: coarse(availability),
  ...(sizes.some((size) => size.availability === 'sold_out') && {
    sizes: sizes.map((size) => ({ size: size.size, availability: coarse(size.availability) })),
  }),
});

export interface Wanted {
  readonly productId: string;
  readonly size: string;
  readonly pieces: number;
}

/** Takes pieces from a product's stock. Those without a size come from the largest stock first. */
export function takeFrom(
  stock: Map<string, number>,
  sizes: readonly string[],
  wanted: readonly Omit<Wanted, 'productId'>[],
): Omit<Wanted, 'productId'>[] {
  const taken = new Map<string, number>();
  const take = (size: string, most: number): number => {
    const pieces = Math.min(stock.get(size) ?? 0, most);
    if (pieces === 0) return 0;
    stock.set(size, (stock.get(size) ?? 0) - pieces);
    taken.set(size, (taken.get(size) ?? 0) + pieces);
    return pieces;
  };
  const bySize = isCountedBySize(sizes, stock);
  for (const { size, pieces } of wanted.toSorted(
    (one, other) => Number(one.size === '') - Number(other.size === ''),
  )) {
    if (!bySize) take('', pieces);
    else if (size !== '') take(size, pieces);
    else {
      let left = pieces;
      const piecesOf = (each: string): number => stock.get(each) ?? 0;
      const largestFirst = sizes.toSorted((one, other) => piecesOf(other) - piecesOf(one));
      // A size that is not counted has enough.
      for (const each of sizes.every((one) => stock.has(one)) ? largestFirst : []) left -= take(each, left);
    }
  }
  return [...taken].map(([size, pieces]) => ({ size, pieces }));
}
