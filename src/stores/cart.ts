import { atom } from 'nanostores';
import {
  addLine,
  type Cart,
  type CartLine,
  decodeCart,
  lineKey,
  removeProduct,
  setQuantity,
  takeAway,
} from '#domain/cart.ts';
import { CART_PATH } from '#paths.ts';
import { notifyNextPage } from './carried-notices.ts';
import { goTo } from './navigation.ts';
import { type Kept, readStored, watchStored, writeStored } from './storage.ts';
import { notify } from './toasts.ts';

/** The localStorage key (spec 9). */
const CART_KEY = 'cart';

/** What pre-rendered pages show before the stored cart is read. */
export const EMPTY_CART: Cart = [];

export const $cart = atom<Cart>(EMPTY_CART);

/** The stored text that `$cart` stands for. */
let storedText: string | null = null;
/** Written by a newer version of the shop: what this page makes of it stays in this page (faults 28). */
let readOnly = false;
let warned = false;

/** Makes `$cart` what storage holds now: another tab may have written since, and this one not have been told yet. */
export function refreshCart(): void {
  const text = readStored(CART_KEY);
  if (text === storedText) return;
  storedText = text;
  const stored = decodeCart(text);
  readOnly = stored.readOnly;
  $cart.set(stored.lines);
}

// At once and for good: every page shows the count, and `onMount` would be the heaviest part of its script.
refreshCart();
watchStored(CART_KEY, refreshCart);

function present(): Cart {
  refreshCart();
  return $cart.get();
}

function store(cart: Cart): Kept {
  storedText = JSON.stringify(cart);
  return writeStored(CART_KEY, storedText);
}

/** The one place a cart changes, always starting from what storage holds now (faults 29, 30). */
function change(how: (cart: Cart) => Cart): Kept {
  const cart = present();
  const next = how(cart);
  if (next === cart) return 'kept';
  const lasts = readOnly ? 'memory' : store(next);
  $cart.set(next);
  return lasts;
}

/** A change the shopper asked for: once it is told that it does not last, where it does not. */
function edit(how: (cart: Cart) => Cart): Kept {
  const lasts = change(how);
  if (lasts !== 'kept' && !warned) {
    warned = true;
    notify({
      title: 'Your cart is not saved',
      text: 'It may be gone when you leave this page.',
      tone: 'error',
    });
  }
  return lasts;
}

/** What adding the line will have done: added up, or appended (spec 4). */
function noticeOf(line: CartLine): { title: string; text: string } {
  const isThere = present().some((other) => lineKey(other) === lineKey(line));
  return { title: isThere ? 'Cart updated' : 'Added to cart', text: line.name };
}

/** Adds a line, or adds up with the one that is there, and says which. */
export function addToCart(line: CartLine): void {
  const notice = noticeOf(line);
  const lasts = edit((cart) => addLine(cart, line));
  notify(lasts === 'memory' ? notice : { ...notice, action: { label: 'View cart', href: CART_PATH } });
}

/**
 * The same, and on to the cart, where the notice shows (spec 2, product detail). Stays where the cart would not
 * outlive the page (faults 23).
 */
export function addAndOpenCart(line: CartLine): void {
  const notice = noticeOf(line);
  if (edit((cart) => addLine(cart, line)) === 'memory') {
    notify(notice);
    return;
  }
  notifyNextPage(notice);
  goTo(CART_PATH);
}

/** By line identity; below 1 is ignored (spec 4; resolutions 31). */
export const changeQuantity = (key: string, quantity: number): void =>
  void edit((cart) => setQuantity(cart, key, quantity));

/** Puts lines back that an undo asks for, without touching what was added since. */
const restore = (lines: Cart): void => void edit((cart) => lines.reduce(addLine, cart));

/** Removes every line of the product and offers Undo (resolutions 31; faults 33). */
export function removeFromCart(id: string): void {
  const removed = present().filter((line) => line.id === id);
  if (removed.length === 0) return;
  edit((cart) => removeProduct(cart, id));
  const name = removed[0]?.name ?? '';
  notify({
    title: 'Removed from cart',
    text: removed.length > 1 ? `${name}, in ${removed.length} choices` : name,
    action: { label: 'Undo', run: () => restore(removed) },
  });
}

/** Empties the cart and offers Undo (spec 8; resolutions 31). */
export function clearCart(): void {
  const removed = present();
  edit(() => EMPTY_CART);
  notify({
    title: 'Cart cleared',
    text: 'All items have been removed from your cart.',
    action: { label: 'Undo', run: () => restore(removed) },
  });
}

/**
 * Takes lines at today's prices into the cart, beside or in place of what is there, and offers Undo, which leaves what
 * was added since.
 */
export function takeLines(lines: Cart, how: 'add' | 'replace'): void {
  const removed = how === 'replace' ? present() : EMPTY_CART;
  edit((cart) => lines.reduce(addLine, how === 'replace' ? EMPTY_CART : cart));
  notify({
    title: how === 'replace' ? 'Cart replaced' : 'Added to cart',
    text: lines.map(({ name }) => name).join(', '),
    action: { label: 'Undo', run: () => edit((cart) => removed.reduce(addLine, takeAway(cart, lines))) },
  });
}

/** Takes out without a word what has become an order, and leaves what another tab has added since. */
export const removeOrdered = (ordered: Cart): void => void change((cart) => takeAway(cart, ordered));

/** Applies what the catalogue says of lines: today's name, price and picture. */
export const updateLines = (update: (line: CartLine) => CartLine): void =>
  void change((cart) => cart.map(update));
