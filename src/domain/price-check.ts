import { type Cart, type CartLine, lineKey } from './cart.ts';
import type { Rupees } from './money.ts';

/** A product in today's catalogue. A product whose request failed has no entry. */
export type Today =
  | { readonly status: 'sold'; readonly name: string; readonly image: string; readonly price: Rupees }
  | { readonly status: 'discontinued' }
  | { readonly status: 'unpriced' };

export type TodayById = ReadonlyMap<string, Today>;

export type PricesBefore = ReadonlyMap<string, Rupees>;

export interface CheckedLine {
  /** Has today's price if it is known. */
  readonly line: CartLine;
  /** The price that the shopper saw last, if today's differs. */
  readonly was?: Rupees;
  /** Whether today's price is higher than the one that the shopper accepted. */
  readonly needsConsent: boolean;
  readonly availability: 'sold' | 'discontinued' | 'unpriced';
}

function checkLine(line: CartLine, today: Today | undefined, before: Rupees | undefined): CheckedLine {
  if (!today) return { line, needsConsent: false, availability: 'sold' };
  if (today.status !== 'sold') return { line, needsConsent: false, availability: today.status };
  const shownPrice = before ?? line.price;
  return {
    line: { ...line, name: today.name, image: today.image, price: today.price },
    ...(shownPrice === today.price ? {} : { was: shownPrice }),
    needsConsent: today.price > line.price,
    availability: 'sold',
  };
}

export const checkCart = (cart: Cart, today: TodayById, before: PricesBefore): CheckedLine[] =>
  cart.map((line) => checkLine(line, today.get(line.id), before.get(lineKey(line))));

export const pricesOf = (cart: Cart): PricesBefore =>
  new Map(cart.map((line) => [lineKey(line), line.price]));

/** Returns the lines that can be ordered, at today's prices. Totals include only these. */
export const orderable = (lines: readonly CheckedLine[]): Cart =>
  lines.filter(({ availability }) => availability === 'sold').map(({ line }) => line);

/**
 * Returns the line to store after the check: with today's name and picture, and with today's price if it is lower or the
 * shopper accepted it. Returns the line itself if nothing of it changes.
 */
export function settleLine(line: CartLine, today: Today | undefined, accepted: boolean): CartLine {
  if (today?.status !== 'sold') return line;
  const { name, image } = today;
  const price = accepted || today.price < line.price ? today.price : line.price;
  const isSettled = price === line.price && name === line.name && image === line.image;
  return isSettled ? line : { ...line, name, image, price };
}
