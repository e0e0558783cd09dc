import { atom } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import type { Cart } from '#domain/cart.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { orderFingerprint } from '#domain/same-order.ts';
import { EMPTY_ADDRESS, isPasted, type ShippingAddress, tidyField } from '#domain/shipping-address.ts';
import { paths } from '#paths.ts';
import { openPrivateSection } from '#stores/account/private-page.ts';
import { refreshSession } from '#stores/account/session.ts';
import { $cart, EMPTY_CART, refreshCart } from '#stores/cart/cart.ts';
import { removeOrdered } from '#stores/cart/cart-edits.ts';
import { $checkedCart, checkAllPrices, recheckProduct, watchPrices } from '#stores/cart/price-check.ts';
import { notifyNextPage } from '#stores/shell/carried-notices.ts';
import { goTo, onReturn } from '#stores/shell/navigation.ts';
import { $online } from '#stores/shell/online.ts';
import { pause } from '#stores/shell/pause.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';
import { notePlaced, readAttempt, renewAttempt } from './checkout-attempt.ts';
import { forgetDraft, keepDraft, readDraft } from './checkout-draft.ts';
import { type CheckoutProblem, problemOf, refusalOf } from './checkout-problems.ts';
import { attemptOrder } from './place-order.ts';
import { saveAddressIfWanted } from './saved-addresses.ts';
import { keepShownTotal } from './shown-total.ts';

export interface Checkout extends CheckoutProblem {
  readonly status:
    | 'editing'
    | 'placing'
    /** The order was sent, but it is not known whether it was created (faults 20). */
    | 'unknown'
    /** The order has been created, and its payment page is about to open. */
    | 'leaving'
    /** The order was created earlier: in another tab, or the shopper has come back from its payment. */
    | 'placed';
  readonly orderId?: string;
  /** The address of the last failed attempt. */
  readonly failedAddress?: ShippingAddress;
  /** The number of failed attempts. */
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

/** How long Create Order waits for today's prices before it goes on without them. */
const PRICE_WAIT_MS = 4_000;

function setAddress(address: ShippingAddress): void {
  $address.set(address);
  keepDraft(address);
}

/** Takes the shopper's input. A text that was pasted or filled in by the browser is normalized at once. */
export function changeAddress(field: keyof ShippingAddress, text: string): void {
  const address = $address.get();
  setAddress({ ...address, [field]: isPasted(text, address[field]) ? tidyField(field, text) : text });
}

/** Normalizes a field when the shopper leaves it. */
export function tidyAddress(field: keyof ShippingAddress): void {
  const address = $address.get();
  const text = tidyField(field, address[field]);
  if (text !== address[field]) setAddress({ ...address, [field]: text });
}

export const chooseAddress = (address: ShippingAddress): void => setAddress(address);

const currentProblem = (): CheckoutProblem | undefined => problemOf($address.get(), $checkedCart.get());

/**
 * Whether exactly this order was already sent without an answer. It may exist, and its products may be sold out because
 * of it, so Create Order repeats it unchanged and without checks (faults 20).
 */
const isUnanswered = (): boolean =>
  readAttempt().unanswered?.fingerprint === orderFingerprint($cart.get(), $address.get());

/** Ends an attempt that did not create an order. */
const endAttempt = (changes: Partial<Checkout>): void =>
  $checkout.set({
    ...NEW_CHECKOUT,
    ...changes,
    failedAddress: $address.get(),
    attempt: $checkout.get().attempt + 1,
  });

function refuse(failure: Failure): void {
  notify(REFUSED);
  const refusal = refusalOf(failure, $cart.get());
  endAttempt(refusal);
  if (refusal.refused) void recheckProduct(refusal.refused.id);
}

function leaveForPayment(orderId: string, ordered: Cart): void {
  $checkout.set({ ...NEW_CHECKOUT, status: 'leaving', orderId });
  notePlaced(orderId);
  removeOrdered(ordered);
  saveAddressIfWanted($address.get());
  forgetDraft();
  notifyNextPage({ title: 'Order placed', text: 'Your order has been created.' });
  goTo(paths.payment(orderId));
}

/**
 * The order that another tab has created from this cart, if its storage event has not arrived here yet. If the cart is
 * not empty, it was filled again while this page was in the back/forward cache: that is a new attempt.
 */
function orderOfOtherTab(): string | undefined {
  refreshCart();
  if ($cart.get().length > 0) renewAttempt();
  return readAttempt().orderId;
}

/** Returns whether there is an order now, so that this tab goes to its payment. */
async function sendOrder(): Promise<boolean> {
  const orderId = orderOfOtherTab();
  if (orderId !== undefined) {
    leaveForPayment(orderId, EMPTY_CART);
    return true;
  }
  // While this tab waited, the cart was emptied in another tab or with the browser's storage.
  if ($cart.get().length === 0) {
    notify(CART_EMPTY);
    endAttempt({});
    return false;
  }
  const cart = $cart.get();
  const outcome = await attemptOrder({ cart, address: $address.get() }, readAttempt());
  if (outcome.kind === 'placed') {
    keepShownTotal(outcome.orderId, amountsOf(cart).total);
    leaveForPayment(outcome.orderId, cart);
  } else if (outcome.kind === 'refused') refuse(outcome.failure);
  else if (outcome.kind === 'unknown') endAttempt({ status: 'unknown' });
  else {
    endAttempt({});
    refreshSession();
  }
  return outcome.kind === 'placed';
}

/**
 * Only one tab at a time sends its order (faults 31, 74). After a success the tab keeps the lock until its page is
 * left, so that the next tab reads the storage only after this one has written to it.
 */
async function sendOrderWithLock(): Promise<void> {
  // Browsers offer locks only over https or on localhost.
  if (!('locks' in navigator)) return void (await sendOrder());
  await new Promise<void>((resolve, reject) => {
    const withLock = async (): Promise<void> => {
      const placed = await sendOrder();
      resolve();
      if (placed) await new Promise(() => {});
    };
    navigator.locks.request('checkout', withLock).catch(reject);
  });
}

/** Creates the order from the cart and the address, once (spec 2 and 5, checkout). */
export async function submitCheckout(): Promise<void> {
  if ($checkout.get().status === 'placing' || !$online.get()) return;
  if ($cart.get().length === 0) return notify(CART_EMPTY);
  const isResend = isUnanswered();
  const problem = isResend ? undefined : currentProblem();
  if (problem) return endAttempt(problem);
  $checkout.set({ ...NEW_CHECKOUT, status: 'placing', attempt: $checkout.get().attempt });
  withdraw(REFUSED);
  if (!isResend) await Promise.race([checkAllPrices(), pause(PRICE_WAIT_MS)]);
  const newProblem = isResend ? undefined : currentProblem();
  if (newProblem) return endAttempt(newProblem);
  try {
    await sendOrderWithLock();
  } catch {
    // The code of the request could not be loaded, so nothing was sent.
    refuse({ kind: 'no-answer' });
  }
}

const hasOrder = (status: Checkout['status']): boolean => status === 'leaving' || status === 'placed';

/** Starts a new attempt when the cart is filled again. If another tab's order has emptied it, shows that order. */
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

/** Opens the checkout for a signed-in user (spec 2, checkout). Returns a function that closes it. */
export function openCheckout(): () => void {
  const stops = [
    $cart.subscribe(followCart),
    watchPrices(),
    // Hiding the address keeps its draft in the tab, so that a user who is still signed in finds it (faults 35, 44).
    openPrivateSection({
      load: () => $address.set(readDraft()),
      hide: () => $address.set(EMPTY_ADDRESS),
    }),
    // A page restored from the back/forward cache has no open request any more.
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
