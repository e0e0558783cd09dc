import { addLine, type Cart, type CartLine } from '#domain/cart.ts';
import { putBack, removeProduct, setQuantity, subtractLines } from '#domain/cart-edits.ts';
import { notify } from '#stores/shell/toasts.ts';
import { changeCart, currentCart, EMPTY_CART, editCart } from './cart.ts';

/* Cart actions of the cart page, the checkout and My Orders. Adding one line is in cart.ts, which every page loads. */

/** `key` is the line's `lineKey`. A quantity below 1 is ignored. */
export const changeQuantity = (key: string, quantity: number): void =>
  void editCart((cart) => setQuantity(cart, key, quantity));

/** The Undo button of a notice. A second notice confirms it to visitors who do not see the cart change. */
const undo = (change: (cart: Cart) => Cart) => ({
  label: 'Undo',
  run() {
    editCart(change);
    notify({ title: 'Undone' });
  },
});

export function removeFromCart(id: string): void {
  const before = currentCart();
  const removed = before.filter((line) => line.id === id);
  if (removed.length === 0) return;
  editCart((cart) => removeProduct(cart, id));
  const name = removed[0]?.name ?? '';
  notify({
    title: 'Removed from cart',
    text: removed.length > 1 ? `${name}, in ${removed.length} choices` : name,
    action: undo((cart) => putBack(cart, removed, before)),
  });
}

export function clearCart(): void {
  const removed = currentCart();
  editCart(() => EMPTY_CART);
  notify({
    title: 'Cart cleared',
    text: 'All items have been removed from your cart.',
    action: undo((cart) => putBack(cart, removed)),
  });
}

/** Adds lines to the cart, or replaces the cart with them. Undo keeps the lines that were added afterwards. */
export function putInCart(lines: Cart, mode: 'add' | 'replace'): void {
  const removed = mode === 'replace' ? currentCart() : EMPTY_CART;
  editCart((cart) => lines.reduce(addLine, mode === 'replace' ? EMPTY_CART : cart));
  notify({
    title: mode === 'replace' ? 'Cart replaced' : 'Added to cart',
    text: lines.map(({ name }) => name).join(', '),
    action: undo((cart) => putBack(subtractLines(cart, lines), removed)),
  });
}

/** Removes the ordered lines without a notice. Lines that another tab has added since then stay. */
export const removeOrdered = (ordered: Cart): void => void changeCart((cart) => subtractLines(cart, ordered));

export const updateLines = (update: (line: CartLine) => CartLine): void =>
  void changeCart((cart) => cart.map(update));
