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
import { $checkout, CART_EMPTY, REFUSED, showProblem } from './checkout.ts';
import { readAttempt, recordPlaced, renewAttempt } from './checkout-attempt.ts';
import { type CheckoutProblem, DEARER_DELIVERY, problemOf, refusalOf } from './checkout-problems.ts';
import { createOrderOnce } from './create-order.ts';
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
 * The order that another tab has created from this cart, if its storage event has not arrived yet. A cart that is not
 * empty was filled again while this page was in the back/forward cache: that is a new attempt.
 */
function orderOfOtherTab(): string | undefined {
  refreshCart();
  if ($cart.get().length > 0) renewAttempt();
  return readAttempt().orderId;
}

async function createFromCart(): Promise<boolean> {
  const orderId = orderOfOtherTab();
  if (orderId !== undefined) {
    leaveForPayment(orderId, EMPTY_CART);
    return true;
  }
  const cart = $cart.get();
  // While this tab waited, the cart was emptied in another tab or with the browser's storage.
  if (cart.length === 0) {
    notify(CART_EMPTY);
    $checkout.set({ status: 'editing' });
    return false;
  }
  const outcome = await createOrderOnce({ cart, address: $address.get() }, readAttempt());
  if (outcome.kind === 'placed') {
    storeShownTotal(outcome.orderId, amountsOf(cart, $delivery.get()).total);
    leaveForPayment(outcome.orderId, cart);
  } else if (outcome.kind === 'refused') refuse(outcome.failure);
  else if (outcome.kind === 'unknown') $checkout.set({ status: 'unknown' });
  else {
    $checkout.set({ status: 'editing' });
    refreshSession();
  }
  return outcome.kind === 'placed';
}

/**
 * Lets only one tab at a time create an order. After a success the tab holds the lock until its page is left, so that
 * the next tab reads the storage only after this one has written to it.
 */
async function withLock(create: () => Promise<boolean>): Promise<void> {
  // Browsers have locks only over https or on localhost.
  if (!('locks' in navigator)) return void (await create());
  await new Promise<void>((resolve, reject) => {
    let isLocked = false;
    const createWithLock = async (): Promise<void> => {
      isLocked = true;
      const isCreated = await create();
      resolve();
      if (isCreated) await new Promise(() => {});
    };
    // Firefox refuses locks where it blocks cookies. The order is then created without one.
    navigator.locks.request('checkout', createWithLock).catch((error: unknown) => {
      if (isLocked) reject(error);
      else create().then(() => resolve(), reject);
    });
  });
}

const currentProblem = (): CheckoutProblem | undefined => problemOf($address.get(), $checkedCart.get());

/**
 * Whether exactly this order was already sent without an answer. It may exist and have used up the stock, so it is sent
 * again unchanged and without checks.
 */
const isUnanswered = (): boolean =>
  readAttempt().unanswered?.fingerprint === orderFingerprint($cart.get(), $address.get());

/** Places one order for the cart and the address. Shows the outcome in $checkout. Never rejects. */
export async function placeOrder(): Promise<void> {
  if ($checkout.get().status === 'placing' || !$online.get()) return;
  if ($cart.get().length === 0) return notify(CART_EMPTY);
  const isResend = isUnanswered();
  const problem = isResend ? undefined : currentProblem();
  if (problem) return showProblem(problem);
  $checkout.set({ status: 'placing' });
  clearNotice(REFUSED);
  const shownDelivery = $delivery.get();
  if (!isResend) await Promise.race([checkAllPrices(), pause(PRICE_WAIT_MS)]);
  const isDearer = $amounts.get().total > amountsOf($orderableCart.get(), shownDelivery).total;
  const newProblem = isResend ? undefined : (currentProblem() ?? (isDearer ? DEARER_DELIVERY : undefined));
  if (newProblem) return showProblem(newProblem);
  try {
    await withLock(createFromCart);
  } catch {
    // The code of the request could not be loaded, so nothing was sent.
    refuse({ kind: 'no-answer' });
  }
}
