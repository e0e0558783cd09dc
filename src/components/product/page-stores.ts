import type { CartLine } from '#domain/cart.ts';
import { addAndOpenCart } from '#stores/cart.ts';
import { type Notice, notify, withdraw } from '#stores/toasts.ts';

/** The stores of the page, lent to parts that are loaded later: there must be one copy of each. */
export interface PageStores {
  addAndOpenCart(line: CartLine): void;
  notify(notice: Notice): void;
  withdraw(notice: Notice): void;
}

export const pageStores: PageStores = { addAndOpenCart, notify, withdraw };
