import { type Cart, type CartLine, lineKey, MAX_QUANTITY, MIN_QUANTITY, mergeLines } from './cart.ts';
import { readNumber, tidyCode } from './text.ts';

/* Cart changes that not every page needs. The others are in cart.ts. */

export const QUANTITY_WRONG = 'Type whole pieces, from 1 to 9,999';

export interface TypedQuantity {
  /** undefined unless the text is a whole number that can be ordered. */
  readonly quantity: number | undefined;
  /** Whether the text must be corrected before the line is ordered. A text without pieces, such as '' or '0', is ignored. */
  readonly isWrong: boolean;
}

/** Reads the field of a stepper, in the cart and on a product's page. */
export function readQuantity(text: string): TypedQuantity {
  const number = readNumber(text) ?? 0;
  const isWhole = Number.isInteger(number) && number >= MIN_QUANTITY && number <= MAX_QUANTITY;
  return { quantity: isWhole ? number : undefined, isWrong: !isWhole && /[1-9]/.test(tidyCode(text)) };
}

export const removeProduct = (cart: Cart, id: string): Cart => cart.filter((line) => line.id !== id);

/** Subtracts the quantities of `lines`, for Undo. Removes lines with nothing left. */
export function subtractLines(cart: Cart, lines: Cart): Cart {
  const quantities = new Map(mergeLines(lines).map((line) => [lineKey(line), line.quantity]));
  return cart
    .map((line) => ({ ...line, quantity: line.quantity - (quantities.get(lineKey(line)) ?? 0) }))
    .filter(({ quantity }) => quantity >= MIN_QUANTITY);
}

/** Ignores a quantity below 1. A quantity above 9,999 becomes 9,999. */
export function setQuantity(cart: Cart, key: string, quantity: number): Cart {
  if (!(quantity >= MIN_QUANTITY)) return cart;
  const whole = Math.min(Math.floor(quantity), MAX_QUANTITY);
  return cart.map((line) => (lineKey(line) === key ? { ...line, quantity: whole } : line));
}

/** Adds removed `lines` again, in the order of the cart `before`. Lines added since then come last. */
export function putBack(cart: Cart, lines: Cart, before: Cart = lines): Cart {
  const indexes = new Map(before.map((line, index) => [lineKey(line), index]));
  const indexOf = (line: CartLine): number => indexes.get(lineKey(line)) ?? before.length;
  return [...mergeLines([...cart, ...lines])].sort((one, other) => indexOf(one) - indexOf(other));
}
