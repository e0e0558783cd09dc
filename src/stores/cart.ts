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
import { idOf, toCartText } from '#domain/cart-text.ts';
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

let lastRead: string | null = null;
/** The text that this page wrote, while nobody has written another. */
let own = '';
/** The texts of its own that others have written over, as it seems without having heard of them (cart-text.ts). */
const lost = new Set<string>();
/** Later, the shopper has seen what is missing. */
const REDO_MS = 3_000;
/** The last texts this page has written, read or been told of. */
let known: string[] = [];
/** Written by a newer version of the shop: what this page makes of it stays in this page (faults 28). */
let readOnly = false;
let kept: Kept = 'kept';
let warned = false;

function remember(text: string | null | undefined): void {
  known = [...known.slice(-100), text ?? ''];
}

function readCart(): Cart {
  lastRead = readStored(CART_KEY);
  remember(lastRead);
  if (own && !lastRead?.includes(idOf(own))) {
    lost.add(own);
    setTimeout((text: string) => lost.delete(text), REDO_MS, own);
  }
  own = '';
  const stored = decodeCart(lastRead);
  readOnly = stored.readOnly;
  return stored.lines;
}

/** The cart as it is now: another tab may have written since, and its storage event not have come. */
function present(): Cart {
  if (readStored(CART_KEY) !== lastRead) $cart.set(readCart());
  return $cart.get();
}

/** Does again what others, who had not heard of it, have written over (faults 29). */
async function redo(): Promise<void> {
  const { redoLost } = await import('#domain/lost-edits.ts');
  for (const text of lost)
    change(
      (cart) => {
        const redone = redoLost(text, lastRead ?? '', known, cart);
        if (redone) lost.delete(text);
        return redone ?? cart;
      },
      [text],
    );
}

/** Reads what another tab has written. */
export function refreshCart(event?: StorageEvent): void {
  // A storage may have come since (deep-storage.ts).
  if (kept === 'memory') keep($cart.get());
  // A page that was frozen has missed by what it could be told; what was removed is not to come back.
  if (!event?.newValue) known = [];
  remember(event?.newValue ?? readStored(CART_KEY));
  present();
  // From the first word of another tab on, so that the code is there when an edit is lost.
  if (event?.newValue) redo().catch(() => {});
}

// At once and for good: every page shows the count, and `onMount` would be the heaviest part of its script.
$cart.set(readCart());
watchStored(CART_KEY, refreshCart);

/** `redone` are texts beside the last read whose edits went into these lines. */
function keep(lines: Cart, redone: readonly string[] = []): Kept {
  own = toCartText(lines, [lastRead ?? '', ...redone].map(idOf));
  kept = writeStored(CART_KEY, own);
  lastRead = own;
  remember(own);
  return kept;
}

/**
 * The one place a cart changes. The change is in memory before storage is asked, so a refusing storage loses nothing
 * (faults 24, 29).
 */
function change(how: (cart: Cart) => Cart, redone?: readonly string[]): Kept {
  const cart = present();
  const next = how(cart);
  if (next === cart) return 'kept';
  $cart.set(next);
  return readOnly ? 'memory' : keep(next, redone);
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
