import type { LineForecast } from './buying/forecast.ts';
import { type Cart, type CartLine, lineKey } from './cart.ts';
import type { Rupees } from './money.ts';
import type { Product } from './product.ts';

/** A product in today's catalogue. A product whose request failed has no entry. */
export type Today = Product | 'discontinued';

export type TodayById = ReadonlyMap<string, Today>;

export type PricesBefore = ReadonlyMap<string, Rupees>;

export interface CheckedLine {
  /** Has today's price if it is known. */
  readonly line: CartLine;
  /** The price that the shopper saw last, if today's differs. */
  readonly was?: Rupees;
  /** Whether today's price is higher than the one that the shopper accepted. */
  readonly needsConsent: boolean;
  /** False if it has no price today: no order can hold it. */
  readonly isPriced: boolean;
  /** Why the line will be refused as it is. */
  readonly forecast?: LineForecast;
}

/** Returns the product if it has a price today. */
const pricedToday = (today: Today | undefined): Product | undefined =>
  today && today !== 'discontinued' && today.price > 0 ? today : undefined;

/** @param before the prices that the shopper saw last, by line */
export function checkCart(
  cart: Cart,
  today: TodayById,
  before: PricesBefore,
  forecasts: readonly (LineForecast | undefined)[] = [],
): CheckedLine[] {
  return cart.map((line, index) => {
    const product = pricedToday(today.get(line.id));
    const forecast = forecasts[index];
    const said = forecast && { forecast };
    if (!product) return { line, needsConsent: false, isPriced: !today.has(line.id), ...said };
    const shownPrice = before.get(lineKey(line)) ?? line.price;
    const { name, image, price } = product;
    return {
      line: { ...line, name, image, price },
      ...(shownPrice !== price && { was: shownPrice }),
      needsConsent: price > line.price,
      isPriced: true,
      ...said,
    };
  });
}

export const pricesOf = (cart: Cart): PricesBefore =>
  new Map(cart.map((line) => [lineKey(line), line.price]));

/** Returns the lines that have a price, at today's. Totals count only these. */
export const orderable = (lines: readonly CheckedLine[]): Cart =>
  lines.filter(({ isPriced }) => isPriced).map(({ line }) => line);

/**
 * Returns the line to store after the check: with today's name and picture, and with today's price if it is lower or the
 * shopper accepted it. Returns the line itself if nothing of it changes.
 */
export function settleLine(line: CartLine, today: Today | undefined, accepted: boolean): CartLine {
  const product = pricedToday(today);
  if (!product) return line;
  const { name, image } = product;
  const price = accepted || product.price < line.price ? product.price : line.price;
  const isSettled = price === line.price && name === line.name && image === line.image;
  return isSettled ? line : { ...line, name, image, price };
}
