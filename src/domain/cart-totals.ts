import type { Cart, CartLine } from './cart.ts';
import { type Paise, toPaise } from './money.ts';

export const lineTotal = ({ price, quantity }: Pick<CartLine, 'price' | 'quantity'>): Paise =>
  toPaise(price) * quantity;

export const cartTotal = (cart: Cart): Paise => cart.reduce((sum, line) => sum + lineTotal(line), 0);

/** Quantities by product id. Lines of the same product are added up (resolutions 21). */
export function productQuantities(cart: Cart): Record<string, number> {
  const quantities = new Map<string, number>();
  for (const { id, quantity } of cart) quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  return Object.fromEntries(quantities);
}
