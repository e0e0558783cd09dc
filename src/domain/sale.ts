import { type Paise, type Rupees, toPaise } from './money.ts';

/** Prices in rupees, and when the discounted one is valid. */
export interface PlannedPrices {
  readonly regularPrice: Rupees;
  readonly discountedPrice: Rupees | null;
  /** ISO 8601, inclusive. Without it the sale has begun. */
  readonly saleFrom?: string | undefined;
  /** ISO 8601, exclusive. Without it the sale has no end. */
  readonly saleUntil?: string | undefined;
}

export type SalePhase = 'none' | 'planned' | 'now' | 'over';

const momentOf = (iso: string | undefined): number | undefined =>
  iso === undefined ? undefined : Date.parse(iso);

/** @param now ms since 1970 */
export function salePhase({ discountedPrice, saleFrom, saleUntil }: PlannedPrices, now: number): SalePhase {
  if (!discountedPrice) return 'none';
  if (now >= (momentOf(saleUntil) ?? Number.POSITIVE_INFINITY)) return 'over';
  return now < (momentOf(saleFrom) ?? Number.NEGATIVE_INFINITY) ? 'planned' : 'now';
}

/** Returns the discounted price in rupees, or null outside the sale. @param now ms since 1970 */
const discountAt = (prices: PlannedPrices, now: number): number | null =>
  salePhase(prices, now) === 'now' ? prices.discountedPrice : null;

/** Whether a sale has a new price that would never count, because the sale is over. @param now ms since 1970 */
export const isTooLate = (before: PlannedPrices | undefined, after: PlannedPrices, now: number): boolean =>
  after.discountedPrice !== before?.discountedPrice && salePhase(after, now) === 'over';

/** Returns the price to pay, in paise. A product with 0 cannot be bought. @param now ms since 1970 */
export const payableAt = (prices: PlannedPrices, now: number): Paise =>
  toPaise(discountAt(prices, now) ?? prices.regularPrice);

/** Returns when the price changes automatically, in ms since 1970. */
export const priceMoments = ({ discountedPrice, saleFrom, saleUntil }: PlannedPrices): number[] =>
  discountedPrice ? [momentOf(saleFrom), momentOf(saleUntil)].filter((moment) => moment !== undefined) : [];
