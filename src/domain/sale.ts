import { type Paise, toPaise } from './money.ts';

/** The prices of a product in rupees, and when the reduced one counts. */
export interface PlannedPrices {
  readonly regularPrice: number;
  readonly discountedPrice: number | null;
  /** The first moment of the sale, in ISO form. Without it the sale has begun. */
  readonly saleFrom?: string | undefined;
  /** The moment from which the sale is over, in ISO form. Without it the sale has no end. */
  readonly saleUntil?: string | undefined;
}

export type SalePhase = 'none' | 'planned' | 'now' | 'over';

const momentOf = (iso: string | undefined): number | undefined =>
  iso === undefined ? undefined : Date.parse(iso);

/** Where a moment stands to the sale of a product. @param now ms since 1970 */
export function salePhase({ discountedPrice, saleFrom, saleUntil }: PlannedPrices, now: number): SalePhase {
  if (!discountedPrice) return 'none';
  if (now >= (momentOf(saleUntil) ?? Number.POSITIVE_INFINITY)) return 'over';
  return now < (momentOf(saleFrom) ?? Number.NEGATIVE_INFINITY) ? 'planned' : 'now';
}

/** The reduced price at a moment, in rupees; null where there is none then. */
export const discountAt = (prices: PlannedPrices, now: number): number | null =>
  salePhase(prices, now) === 'now' ? prices.discountedPrice : null;

/** What customers pay at a moment. A product at 0 cannot be bought. */
export const payableAt = (prices: PlannedPrices, now: number): Paise =>
  toPaise(discountAt(prices, now) ?? prices.regularPrice);

/** The moments at which the price changes by itself, in ms since 1970. */
export const priceMoments = ({ discountedPrice, saleFrom, saleUntil }: PlannedPrices): number[] =>
  discountedPrice ? [momentOf(saleFrom), momentOf(saleUntil)].filter((moment) => moment !== undefined) : [];
