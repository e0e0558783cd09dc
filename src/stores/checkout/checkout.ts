import { atom } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import type { Cart } from '#domain/cart.ts';
import { cartTotal } from '#domain/cart-totals.ts';
import { orderFingerprint } from '#domain/checkout.ts';
import type { ShippingAddress } from '#domain/order.ts';
import { EMPTY_ADDRESS, isPasted, tidyField } from '#domain/shipping-address.ts';
import { paths } from '#paths.ts';
import { openPrivatePart } from '#stores/account/private-page.ts';
import { refreshSession } from '#stores/account/session.ts';
import { $cart, EMPTY_CART, refreshCart } from '#stores/cart/cart.ts';
import { removeOrdered } from '#stores/cart/cart-edits.ts';
import { $checkedCart, askAgain, checkAllPrices, watchPrices } from '#stores/cart/price-check.ts';
import { notifyNextPage } from '#stores/shell/carried-notices.ts';
import { goTo, onReturn } from '#stores/shell/navigation.ts';
import { $online } from '#stores/shell/online.ts';
import { pause } from '#stores/shell/pause.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';
import { notePlaced, readAttempt, renewAttempt } from './checkout-attempt.ts';
import { forgetDraft, keepDraft, readDraft } from './checkout-draft.ts';
import { type CheckoutProblem, problemOf, refusalOf } from './checkout-problems.ts';
import { placeOrder } from './place-order.ts';
import { keepIfWanted } from './saved-addresses.ts';
import { keepShownTotal } from './shown-total.ts';

export interface Checkout extends CheckoutProblem {
  readonly status:
    | 'editing'
    | 'placing'
    /** Sent, and nobody could say what became of it (faults 20). */
    | 'unknown'
    /** The cart of this page has become an order, and its payment is about to open. */
    | 'leaving'
    /** It became one before: in another tab, or the shopper is back. */
    | 'placed';
  readonly orderId?: string;
  /** The address of the last try that did not succeed. */
  readonly judged?: ShippingAddress;
  /** Counts the tries that did not succeed. */
  readonly attempt: number;
}

const NEW_CHECKOUT: Checkout = { status: 'editing', errors: {}, attempt: 0 };

export const $checkout = atom<Checkout>(NEW_CHECKOUT);

export const $address = atom<ShippingAddress>(EMPTY_ADDRESS);

const CART_EMPTY = {
  title: 'Cart is empty',
  text: 'Please add items to your cart before checkout.',
  tone: 'error',
} as const;

const REFUSED = { title: 'Error placing order', text: 'Please try again later.', tone: 'error' } as const;

/** How long Create Order waits for today's prices before it goes on without. */
const PRICE_WAIT_MS = 4_000;

function setAddress(address: ShippingAddress): void {
  $address.set(address);
  keepDraft(address);
}

/** What is typed; what comes at once, from the clipboard or the browser, in its usual form. */
export function changeAddress(field: keyof ShippingAddress, text: string): void {
  const address = $address.get();
  setAddress({ ...address, [field]: isPasted(text, address[field]) ? tidyField(field, text) : text });
}

/** The shopper has left the field. */
export function tidyAddress(field: keyof ShippingAddress): void {
  const address = $address.get();
  const text = tidyField(field, address[field]);
  if (text !== address[field]) setAddress({ ...address, [field]: text });
}

/** One of the addresses that this device keeps. */
export const chooseAddress = (address: ShippingAddress): void => setAddress(address);

const problem = (): CheckoutProblem | undefined => problemOf($address.get(), $checkedCart.get());

/**
 * Whether this very order was sent and nobody could say what became of it: it may exist, and its products be sold out by
 * it. It is asked for as it was sent (faults 20).
 */
const wasSent = (): boolean =>
  readAttempt().unanswered?.fingerprint === orderFingerprint($cart.get(), $address.get());

const stay = (found: Partial<Checkout>): void =>
  $checkout.set({
    ...NEW_CHECKOUT,
    ...found,
    judged: $address.get(),
    attempt: $checkout.get().attempt + 1,
  });

function refuse(failure: Failure): void {
  notify(REFUSED);
  const refusal = refusalOf(failure, $cart.get());
  stay(refusal);
  if (refusal.refused) void askAgain(refusal.refused.id);
}

function leaveForPayment(orderId: string, ordered: Cart): void {
  $checkout.set({ ...NEW_CHECKOUT, status: 'leaving', orderId });
  notePlaced(orderId);
  removeOrdered(ordered);
  keepIfWanted($address.get());
  forgetDraft();
  notifyNextPage({ title: 'Order placed', text: 'Your order has been created.' });
  goTo(paths.payment(orderId));
}

/**
 * The order that this cart became in another tab, whose word has not come here yet. A cart that holds something was
 * filled since, while this page lay in the back/forward cache: that is a new attempt.
 */
function placedElsewhere(): string | undefined {
  refreshCart();
  if ($cart.get().length > 0) renewAttempt();
  return readAttempt().orderId;
}

/** Whether the order was placed: then the tab keeps the lock until it has left. */
async function order(): Promise<boolean> {
  const orderId = placedElsewhere();
  if (orderId !== undefined) {
    leaveForPayment(orderId, EMPTY_CART);
    return true;
  }
  // Emptied in another tab, or by whoever cleared the storage, while this one waited.
  if ($cart.get().length === 0) {
    notify(CART_EMPTY);
    stay({});
    return false;
  }
  const cart = $cart.get();
  const outcome = await placeOrder({ cart, address: $address.get() }, readAttempt());
  if (outcome.kind === 'placed') {
    keepShownTotal(outcome.orderId, cartTotal(cart));
    leaveForPayment(outcome.orderId, cart);
  } else if (outcome.kind === 'refused') refuse(outcome.failure);
  else if (outcome.kind === 'unknown') stay({ status: 'unknown' });
  else {
    stay({});
    refreshSession();
  }
  return outcome.kind === 'placed';
}

/**
 * One tab at a time (faults 31, 74). The lock of a tab that has placed the order ends with the page, so that the
 * next tab reads what it wrote.
 */
async function orderAlone(): Promise<void> {
  // Missing on pages served by http to another machine.
  if (!('locks' in navigator)) return void (await order());
  await new Promise<void>((resolve, reject) => {
    const alone = async (): Promise<void> => {
      const placed = await order();
      resolve();
      if (placed) await new Promise(() => {});
    };
    navigator.locks.request('checkout', alone).catch(reject);
  });
}

/** Creates the order from the cart and the address, once (spec 2 and 5, checkout). */
export async function createOrder(): Promise<void> {
  if ($checkout.get().status === 'placing' || !$online.get()) return;
  if ($cart.get().length === 0) return notify(CART_EMPTY);
  const isSent = wasSent();
  const found = isSent ? undefined : problem();
  if (found) return stay(found);
  $checkout.set({ ...NEW_CHECKOUT, status: 'placing', attempt: $checkout.get().attempt });
  withdraw(REFUSED);
  if (!isSent) await Promise.race([checkAllPrices(), pause(PRICE_WAIT_MS)]);
  const changed = isSent ? undefined : problem();
  if (changed) return stay(changed);
  try {
    await orderAlone();
  } catch {
    // The code did not load; nothing was sent.
    refuse({ kind: 'no-answer' });
  }
}

const hasOrder = (status: Checkout['status']): boolean => status === 'leaving' || status === 'placed';

/** A filled cart is a new attempt; one that was emptied by another tab's order has become that order. */
function followCart(cart: Cart, before: Cart = EMPTY_CART): void {
  const { status } = $checkout.get();
  if (cart.length > 0) withdraw(CART_EMPTY);
  if (cart.length > 0 && before.length === 0) {
    renewAttempt();
    if (hasOrder(status)) $checkout.set(NEW_CHECKOUT);
  } else if (cart.length === 0 && before.length > 0 && !hasOrder(status)) {
    const { orderId } = readAttempt();
    if (orderId !== undefined) $checkout.set({ ...NEW_CHECKOUT, status: 'placed', orderId });
  }
}

/** Opens the desk for whoever the guard has let in (spec 2, checkout). Returns the way to close it. */
export function openCheckout(): () => void {
  const stops = [
    $cart.subscribe(followCart),
    watchPrices(),
    // The draft stays in the tab: whoever is still signed in finds it again (faults 35, 44).
    openPrivatePart({
      load: () => $address.set(readDraft()),
      hide: () => $address.set(EMPTY_ADDRESS),
    }),
    // A page that comes back waits for nothing any more.
    onReturn(() => {
      const checkout = $checkout.get();
      if (checkout.status === 'placing') $checkout.set(NEW_CHECKOUT);
      if (checkout.status === 'leaving') $checkout.set({ ...checkout, status: 'placed' });
    }),
  ];
  if ($cart.get().length === 0) notify(CART_EMPTY);
  return () => {
    for (const stop of stops) stop();
  };
}
