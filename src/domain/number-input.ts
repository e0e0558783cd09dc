import { MAX_QUANTITY, MIN_QUANTITY } from './cart.ts';
import { tidyCode } from './text.ts';

/* Reads numbers as people type them. Not in money.ts or cart-edits.ts, which every page loads. */

/** '1000', '1,000', '1 00 000' or '99.50'. So '2,5' is not 25, and '0,500' is not 500. */
const NUMBER = /^(?:\d+|[1-9]\d{0,2}(?:[ ,'\u2019\u066c]\d{2,3})*[ ,'\u2019\u066c]\d{3})(?:\.\d+)?$/;

/** Reads a number as people in India write it. Returns undefined for any other text. */
export function readNumber(text: string): number | undefined {
  const plain = tidyCode(text);
  return NUMBER.test(plain) ? Number(plain.replace(/[^\d.]/g, '')) : undefined;
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
