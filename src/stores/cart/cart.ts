import { atom } from 'nanostores';
import { addLine, type Cart, type CartLine, decodeCart, lineKey } from '#domain/cart.ts';
import { CART_PATH } from '#paths.ts';
import { notifyNextPage } from '#stores/shell/carried-notices.ts';
import { goTo } from '#stores/shell/navigation.ts';
import { type Persistence, readStored, watchStored, writeStored } from '#stores/shell/storage.ts';
import { notify } from '#stores/shell/toasts.ts';

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

// Read at load, not in `onMount`: every page shows the count, and onMount would be the largest part of its script.
refreshCart();
watchStored(CART_KEY, refreshCart);

/** What the cart holds now, in whichever tab it was changed last. */
export function presentCart(): Cart {
  refreshCart();
  return $cart.get();
}

function store(cart: Cart): Persistence {
  storedText = JSON.stringify(cart);
  return writeStored(CART_KEY, storedText);
}

/** The one place a cart changes, always starting from what storage holds now (faults 29, 30). */
export function changeCart(how: (cart: Cart) => Cart): Persistence {
  const cart = presentCart();
  const next = how(cart);
  if (next === cart) return 'device';
  const persistence = readOnly ? 'memory' : store(next);
  $cart.set(next);
  return persistence;
}

/** A change the shopper asked for. Tells them, once per page, when it cannot be saved. */
export function editCart(how: (cart: Cart) => Cart): Persistence {
  const persistence = changeCart(how);
  if (persistence !== 'device' && !warned) {
    warned = true;
    notify({
      title: 'Your cart is not saved',
      text: 'It may be gone when you leave this page.',
      tone: 'error',
    });
  }
  return persistence;
}

/** 'Cart updated' if the line is already in the cart, otherwise 'Added to cart' (spec 4). */
function noticeOf(line: CartLine): { title: string; text: string } {
  const isThere = presentCart().some((other) => lineKey(other) === lineKey(line));
  return { title: isThere ? 'Cart updated' : 'Added to cart', text: line.name };
}

/** Adds a line, or adds up with the one that is there, and says which. */
export function addToCart(line: CartLine): void {
  const notice = noticeOf(line);
  const persistence = editCart((cart) => addLine(cart, line));
  notify(persistence === 'memory' ? notice : { ...notice, action: { label: 'View cart', href: CART_PATH } });
}

/**
 * The same, and on to the cart, where the notice shows (spec 2, product detail). Stays where the cart would not
 * outlive the page (faults 23).
 */
export function addAndOpenCart(line: CartLine): void {
  const notice = noticeOf(line);
  if (editCart((cart) => addLine(cart, line)) === 'memory') {
    notify(notice);
    return;
  }
  notifyNextPage(notice);
  goTo(CART_PATH);
}
