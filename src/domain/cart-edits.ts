import { type Cart, type CartLine, lineKey, MAX_QUANTITY, MIN_QUANTITY, mergeLines } from './cart.ts';

/* Changes of the cart that only some pages need. The others are in cart.ts. */

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
