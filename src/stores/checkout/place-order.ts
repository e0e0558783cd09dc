import type { Failure } from '#api/failure.ts';
import type { Cart } from '#domain/cart.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { orderFingerprint } from '#domain/same-order.ts';
import { paths } from '#paths.ts';
import { clearDraft, refreshSession } from '#stores/account/session.ts';
import { $cart, EMPTY_CART, refreshCart } from '#stores/cart/cart.ts';
import { removeOrdered } from '#stores/cart/cart-edits.ts';
import { $delivery } from '#stores/cart/delivery.ts';
import {
  $amounts,
  $checkedCart,
  $orderableCart,
  checkAllPrices,
  recheckProduct,
} from '#stores/cart/price-check.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { goTo } from '#stores/shell/navigation.ts';
import { $online } from '#stores/shell/online.ts';
import { pause } from '#stores/shell/pause.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import {
  $checkout,
  CART_EMPTY,
  type CheckoutProblem,
  DEARER_DELIVERY,
  OFFLINE,
  problemOf,
  REFUSED,
  refusalOf,
  showProblem,
} from './checkout.ts';
import { readAttempt, recordPlaced, renewAttempt } from './checkout-attempt.ts';
import { saveAddressIfWanted } from './saved-addresses.ts';
import { $address } from './shipping-address.ts';
import { storeShownTotal } from './shown-total.ts';

/** How long `placeOrder` waits for today's prices before it continues without them. */
const PRICE_WAIT_MS = 4_000;

function refuse(failure: Failure): void {
  notify(REFUSED);
  const refusal = refusalOf(failure, $cart.get());
  showProblem(refusal);
  if (refusal.refused) void recheckProduct(refusal.refused.id);
}

function leaveForPayment(orderId: string, ordered: Cart): void {
  $checkout.set({ status: 'leaving', orderId });
  recordPlaced(orderId);
  removeOrdered(ordered);
  saveAddressIfWanted($address.get());
  clearDraft();
  notifyNextPage({ title: 'Order placed', text: 'Your order has been created.' });
  goTo(paths.payment(orderId));
}

/**
 * Only one tab at a time runs this. After a success the tab holds the lock until its page is left, so that the next tab
 * reads the storage only after this one has written to it.
 */
async function createFromCart(): Promise<void> {
  refreshCart();
  const cart = $cart.get();
  // A cart that is not empty was filled again while this page was in the back/forward cache: that is a new attempt.
  if (cart.length > 0) renewAttempt();
  const attempt = readAttempt();
  // Another tab has created the order from this cart, and its storage event has not arrived yet.
  if (attempt.orderId !== undefined) leaveForPayment(attempt.orderId, EMPTY_CART);
  // While this tab waited, the cart was emptied in another tab or with the browser's storage.
  else if (cart.length === 0) {
    notify(CART_EMPTY);
    return $checkout.set({ status: 'editing' });
  } else {
    const code = await import('./create-order.ts').catch(() => undefined);
    // If the code cannot be loaded, nothing is sent.
    if (!code) return refuse({ kind: 'no-answer' });
    const outcome = await code.createOrderOnce({ cart, address: $address.get() }, attempt);
    if (outcome.kind === 'refused') return refuse(outcome.failure);
    if (outcome.kind === 'unknown') return $checkout.set({ status: 'unknown' });
    if (outcome.kind === 'signed-out') {
      $checkout.set({ status: 'editing' });
      return refreshSession();
    }
    storeShownTotal(outcome.orderId, amountsOf(cart, $delivery.get()).total);
    leaveForPayment(outcome.orderId, cart);
  }
  if ('locks' in navigator) await new Promise(() => {});
}

const currentProblem = (): CheckoutProblem | undefined => problemOf($address.get(), $checkedCart.get());

/**
 * Whether exactly this order was already sent without an answer. It may exist and have used up the stock, so it is sent
 * again unchanged and without checks.
 */
const isUnanswered = (): boolean =>
  readAttempt().unanswered?.fingerprint === orderFingerprint($cart.get(), $address.get());

/** Checks today's prices and delivery. Returns why the order cannot be sent as the page showed it. */
async function checkToday(): Promise<CheckoutProblem | undefined> {
  const shownDelivery = $delivery.get();
  const isAnswered = await Promise.race([checkAllPrices(), pause(PRICE_WAIT_MS)]);
  if (!isAnswered && !$online.get()) return OFFLINE;
  const isDearer = $amounts.get().total > amountsOf($orderableCart.get(), shownDelivery).total;
  return currentProblem() ?? (isDearer ? DEARER_DELIVERY : undefined);
}

/** Places one order for the cart and the address. Shows the outcome in $checkout. Never rejects. */
export async function placeOrder(): Promise<void> {
  if ($checkout.get().status === 'placing') return;
  if ($cart.get().length === 0) return notify(CART_EMPTY);
  const isResend = isUnanswered();
  const problem = isResend ? undefined : currentProblem();
  if (problem) return showProblem(problem);
  $checkout.set({ status: 'placing' });
  clearNotice(REFUSED);
  const newProblem = isResend ? undefined : await checkToday();
  if (newProblem) return showProblem(newProblem);
  // Browsers have locks only over https or on localhost, and Firefox refuses them where it blocks cookies.
  if (!('locks' in navigator)) return createFromCart();
  await navigator.locks.request('checkout', createFromCart).catch(createFromCart);
}
