import { atom } from 'nanostores';
import {
  addLine,
  CART_KEY,
  type Cart,
  type CartLine,
  decodeCart,
  lineKey,
  MIN_QUANTITY,
} from '#domain/cart.ts';
import { CART_PATH } from '#paths.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { goTo } from '#stores/shell/navigation.ts';
import { type Persistence, readStored, watchStored, writeStored } from '#stores/shell/storage.ts';
import { notify } from '#stores/shell/toasts.ts';

export const EMPTY_CART: Cart = [];

export const $cart = atom<Cart>(EMPTY_CART);

let storedText: string | null = null;
/** True if a newer version of the shop wrote the cart: this page must not overwrite it. */
let readOnly = false;
let warned = false;

/** Reads the cart from storage again, because the event of another tab's change may not have arrived yet. */
export function refreshCart(): void {
  const text = readStored(CART_KEY);
  if (text === storedText) return;
  storedText = text;
  const stored = decodeCart(text);
  readOnly = stored.readOnly;
  $cart.set(stored.lines);
}

// Every page shows the count, so the cart is read at load. nanostores' `onMount` would enlarge every page's script.
refreshCart();
watchStored(CART_KEY, refreshCart);

export function currentCart(): Cart {
  refreshCart();
  return $cart.get();
}

function store(cart: Cart): Persistence {
  storedText = JSON.stringify(cart);
  return writeStored(CART_KEY, storedText);
}

/** The only place where the cart changes. It starts from the stored cart, so that no change of another tab is lost. */
export function changeCart(change: (cart: Cart) => Cart): Persistence {
  const cart = currentCart();
  const next = change(cart);
  if (next === cart) return 'device';
  const persistence = readOnly ? 'memory' : store(next);
  $cart.set(next);
  return persistence;
}

/** Changes the cart. Shows a warning once per page if the cart cannot be saved. */
export function editCart(change: (cart: Cart) => Cart): Persistence {
  const persistence = changeCart(change);
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

/** Adds a line. The first one of a product has at least `least` pieces. Returns its notice, and whether it is stored. */
function add(added: CartLine, min: number) {
  const cart = currentCart();
  const isRaised = added.quantity < min && cart.every(({ id }) => id !== added.id);
  const line = isRaised ? { ...added, quantity: min } : added;
  const isInCart = cart.some((other) => lineKey(other) === lineKey(line));
  const notice = {
    title: isInCart ? 'Cart updated' : 'Added to cart',
    text: isRaised ? `${line.name} × ${min}, the least of one order` : line.name,
  };
  return { notice, isStored: editCart((lines) => addLine(lines, line)) !== 'memory' };
}

/** @param min the minimum quantity of an order */
export function addToCart(added: CartLine, min = MIN_QUANTITY): void {
  const { notice, isStored } = add(added, min);
  notify(isStored ? { ...notice, action: { label: 'View cart', href: CART_PATH } } : notice);
}

/** Adds a line and opens the cart page. Stays on this page if the cart exists only in its memory. */
export function addAndOpenCart(added: CartLine, min = MIN_QUANTITY): void {
  const { notice, isStored } = add(added, min);
  if (isStored) {
    notifyNextPage(notice);
    goTo(CART_PATH);
  } else notify(notice);
}
