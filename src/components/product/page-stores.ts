import type { CartLine } from '#domain/cart.ts';
import { addAndOpenCart } from '#stores/cart.ts';
import { $toasts, dismiss, type Notice, notify } from '#stores/toasts.ts';

/** The stores of the page, lent to parts that are loaded later: there must be one copy of each. */
export interface PageStores {
  addAndOpenCart(line: CartLine): void;
  notify(notice: Notice): void;
  /** Takes back the notices with this title. */
  withdraw(title: string): void;
}

export const pageStores: PageStores = {
  addAndOpenCart,
  notify,
  withdraw(title) {
    for (const toast of $toasts.get()) if (toast.title === title) dismiss(toast.id);
  },
};
