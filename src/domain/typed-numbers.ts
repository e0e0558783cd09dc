import { MAX_QUANTITY, MIN_QUANTITY } from './cart.ts';
import { isPrice, type Rupees, toPaise, toRupees } from './money.ts';
import { tidyCode } from './text.ts';

/* Reads numbers as people type them. Not in money.ts or cart-edits.ts, which every page loads. */

/** '1000', '1,000', '1 00 000' or '99.50'. So '2,5' is not 25, and '0,500' is not 500. */
const NUMBER = /^(?:\d+|[1-9]\d{0,2}(?:[ ,'\u2019\u066c]\d{2,3})*[ ,'\u2019\u066c]\d{3})(?:\.\d+)?$/;

/** Reads a number as people in India write it. Returns undefined for any other text. */
export function readNumber(text: string): number | undefined {
  const plain = tidyCode(text);
  return NUMBER.test(plain) ? Number(plain.replace(/[^\d.]/g, '')) : undefined;
}

const [TWO_DECIMALS, SCALED] = [/\.\d{3}/, /^(.*?) ?(k|lakhs?|lacs?|crores?|cr)$/];

const SCALES: Readonly<Record<string, number>> = { k: 1_000, l: 100_000, c: 10_000_000 };

/** What people write before an amount and, one by one, after it, in lower case. */
const BEFORE = /^(?:₹|₨|rs\.?|inr|रु\.?|रू\.?)\s*/;
const AFTER = /(?:\/[-=]?|\.-?|₹|₨|rs|inr|rupees?|रुपये|रु|only)$/;

/** '500/- only' becomes '500'. */
function withoutUnits(amount: string): string {
  const shorter = amount.replace(AFTER, '').trimEnd();
  return shorter === amount ? amount : withoutUnits(shorter);
}

/**
 * Reads an amount as people write it: '1,299', '₹ 500', 'Rs. 500/-', '1 00 000', '1.5k', '१००'. Returns undefined for
 * any other text, or with more decimals than the currency has.
 */
export function readRupees(text: string): Rupees | undefined {
  const amount = withoutUnits(tidyCode(text).toLowerCase().replace(BEFORE, ''));
  const [, scaled, scale = ''] = SCALED.exec(amount) ?? [];
  const rupees = readNumber(scaled ?? amount);
  if (rupees === undefined || (!scale && TWO_DECIMALS.test(amount))) return undefined;
  const value = toRupees(toPaise(rupees * (SCALES[scale.charAt(0)] ?? 1)));
  return isPrice(value) ? value : undefined;
}

export interface TypedQuantity {
  /** undefined unless the text is a whole number that can be ordered. */
  readonly quantity: number | undefined;
  /** Whether the text must be corrected before the line is ordered. An empty text and '0' are ignored. */
  readonly isWrong: boolean;
}

/** Reads the field of a stepper in the cart or on a product's page. */
export function readQuantity(text: string): TypedQuantity {
  const number = readNumber(text) ?? 0;
  const isWhole = Number.isInteger(number) && number >= MIN_QUANTITY && number <= MAX_QUANTITY;
  return { quantity: isWhole ? number : undefined, isWrong: !isWhole && /[^0]/.test(tidyCode(text)) };
}
