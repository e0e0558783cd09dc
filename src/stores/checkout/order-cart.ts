import type { Failure } from '#api/failure.ts';
import type { Cart } from '#domain/cart.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { paths } from '#paths.ts';
import { refreshSession } from '#stores/account/session.ts';
import { $cart, EMPTY_CART, refreshCart } from '#stores/cart/cart.ts';
import { removeOrdered } from '#stores/cart/cart-edits.ts';
import { $delivery } from '#stores/cart/delivery.ts';
import { recheckProduct } from '#stores/cart/price-check.ts';
import { notifyNextPage } from '#stores/shell/carried-notices.ts';
import { goTo } from '#stores/shell/navigation.ts';
import { notify } from '#stores/shell/toasts.ts';
import { $checkout, CART_EMPTY, failAttempt, REFUSED } from './checkout.ts';
import { notePlaced, readAttempt, renewAttempt } from './checkout-attempt.ts';
import { refusalOf } from './checkout-problems.ts';
import { clearDraft } from './clear-drafts.ts';
import { attemptOrder } from './place-order.ts';
import { saveAddressIfWanted } from './saved-addresses.ts';
import { $address } from './shipping-address.ts';
import { keepShownTotal } from './shown-total.ts';

function refuse(failure: Failure): void {
  notify(REFUSED);
  const refusal = refusalOf(failure, $cart.get());
  failAttempt(refusal);
  if (refusal.refused) void recheckProduct(refusal.refused.id);
}

function leaveForPayment(orderId: string, ordered: Cart): void {
  $checkout.set({ status: 'leaving', orderId });
  notePlaced(orderId);
  removeOrdered(ordered);
  saveAddressIfWanted($address.get());
  clearDraft();
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
async function orderCart(): Promise<boolean> {
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
  const outcome = await attemptOrder({ cart, address: $address.get() }, readAttempt());
  if (outcome.kind === 'placed') {
    keepShownTotal(outcome.orderId, amountsOf(cart, $delivery.get()).total);
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
 * Only one tab at a time sends its order. After a success the tab keeps the lock until its page is
 * left, so that the next tab reads the storage only after this one has written to it.
 */
async function orderCartWithLock(): Promise<void> {
  // Browsers offer locks only over https or on localhost.
  if (!('locks' in navigator)) return void (await orderCart());
  await new Promise<void>((resolve, reject) => {
    const withLock = async (): Promise<void> => {
      const isPlaced = await orderCart();
      resolve();
      if (isPlaced) await new Promise(() => {});
    };
    navigator.locks.request('checkout', withLock).catch(reject);
  });
}

/** Sends the cart as an order, and shows in $checkout what became of it. Never rejects. */
export async function sendCart(): Promise<void> {
  try {
    await orderCartWithLock();
  } catch {
    // The code of the request could not be loaded, so nothing was sent.
    refuse({ kind: 'no-answer' });
  }
}
