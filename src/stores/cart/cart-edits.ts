import { addLine, type Cart, type CartLine } from '#domain/cart.ts';
import { putBack, removeProduct, setQuantity, subtractLines } from '#domain/cart-edits.ts';
import { notify } from '#stores/shell/toasts.ts';
import { changeCart, EMPTY_CART, editCart, presentCart } from './cart.ts';

/* What the cart, the checkout and the orders do with the cart. Adding to it is in cart.ts, which every page loads. */

/** By line identity; below 1 is ignored (spec 4; resolutions 31). */
export const changeQuantity = (key: string, quantity: number): void =>
  void editCart((cart) => setQuantity(cart, key, quantity));

/** What a notice offers. Afterwards another notice says that it is done, for those who do not see the cart change. */
const undo = (how: (cart: Cart) => Cart) => ({
  label: 'Undo',
  run() {
    editCart(how);
    notify({ title: 'Undone' });
  },
});

/** Removes every line of the product and offers Undo (resolutions 31; faults 33). */
export function removeFromCart(id: string): void {
  const before = presentCart();
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

/** Empties the cart and offers Undo (spec 8; resolutions 31). */
export function clearCart(): void {
  const removed = presentCart();
  editCart(() => EMPTY_CART);
  notify({
    title: 'Cart cleared',
    text: 'All items have been removed from your cart.',
    action: undo((cart) => putBack(cart, removed)),
  });
}

/** Adds lines to the cart, or replaces the cart with them, and offers Undo. Undo keeps what was added since. */
export function takeLines(lines: Cart, how: 'add' | 'replace'): void {
  const removed = how === 'replace' ? presentCart() : EMPTY_CART;
  editCart((cart) => lines.reduce(addLine, how === 'replace' ? EMPTY_CART : cart));
  notify({
    title: how === 'replace' ? 'Cart replaced' : 'Added to cart',
    text: lines.map(({ name }) => name).join(', '),
    action: undo((cart) => putBack(subtractLines(cart, lines), removed)),
  });
}

/** Takes out without a word what has become an order, and leaves what another tab has added since. */
export const removeOrdered = (ordered: Cart): void => void changeCart((cart) => subtractLines(cart, ordered));

/** Applies what the catalogue says of lines: today's name, price and picture. */
export const updateLines = (update: (line: CartLine) => CartLine): void =>
  void changeCart((cart) => cart.map(update));
