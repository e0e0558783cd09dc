import type { Failure } from '#api/failure.ts';
import type { Cart } from '#domain/cart.ts';
import type { Paise } from '#domain/money.ts';
import { orderFingerprint } from '#domain/same-order.ts';
import { paths } from '#paths.ts';
import { clearDraft, refreshSession } from '#stores/account/session.ts';
import { $cart, EMPTY_CART, refreshCart } from '#stores/cart/cart.ts';
import { removeOrdered } from '#stores/cart/cart-edits.ts';
import { $amounts, $checkedCart, checkAllPrices } from '#stores/cart/price-check.ts';
import { notifyNextPage } from '#stores/shell/flash-notices.ts';
import { goTo } from '#stores/shell/navigation.ts';
import { $online } from '#stores/shell/online.ts';
import { pause } from '#stores/shell/pause.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import {
  $amountsToAgree,
  $checkout,
  CART_EMPTY,
  type CheckoutProblem,
  OFFLINE,
  REFUSED,
  showLeaving,
  showProblem,
} from './checkout.ts';
import { readAttempt, recordPlaced, renewAttempt } from './checkout-attempt.ts';
import { createOrderOnce } from './create-order.ts';
import { DEARER_DELIVERY, problemOf, refusalOf } from './problems.ts';
import { saveAddressIfWanted } from './saved-addresses.ts';
import { $address } from './shipping-address.ts';

/** How long `placeOrder` waits for today's prices before it continues without them. */
const PRICE_WAIT_MS = 4_000;
/** How long the next tab waits for the storage of this one, if this page is not left before. */
const LOCK_HELD_MS = 5_000;
/**
 * How long a tab waits for the others: a browser may never free the lock of a page that is gone. With keys the server
 * creates one order of all tabs. Without keys, another tab may need this long to send its order and to look for it.
 */
const LOCK_WAIT_MS = __CAPABILITIES__.idempotencyKeys ? 15_000 : 60_000;
/** Safari keeps a lock that a page holds when it enters the back/forward cache. */
const left = () => new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }));

/** After this time the payment page has not opened: the connection is gone, or the customer has stopped it. */
const LEAVE_WAIT_MS = 15_000;

async function refuse(failure: Failure): Promise<void> {
  const refusal = refusalOf(failure, $cart.get());
  if (refusal.total !== undefined) {
    await fetchToday();
    return showProblem(currentProblem() ?? refusal);
  }
  const text = failure.kind === 'refused' && failure.status === 422 ? failure.error : undefined;
  notify({ ...REFUSED, ...(text && { text }) });
  showProblem(refusal);
  void checkAllPrices();
}

function leaveForPayment(orderId: string, ordered: Cart, shownTotal?: Paise): void {
  showLeaving(orderId, shownTotal);
  recordPlaced(orderId);
  removeOrdered(ordered);
  saveAddressIfWanted($address.get());
  clearDraft();
  notifyNextPage({ title: 'Order placed', text: 'Your order has been created.' });
  goTo(paths.payment(orderId));
  void pause(LEAVE_WAIT_MS).then(() => {
    if ($checkout.get().status === 'leaving') $checkout.set({ status: 'placed', orderId });
  });
}

/**
 * Only one tab at a time runs this. After a success the tab holds the lock for a while, so that the next tab reads the
 * storage only after this one has written to it.
 * @param total what the customer was shown
 */
async function createFromCart(total: Paise): Promise<void> {
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
    const outcome = await createOrderOnce({ cart, address: $address.get(), total }, attempt);
    if (outcome.kind === 'refused') return refuse(outcome.failure);
    if (outcome.kind === 'unknown') return $checkout.set({ status: 'unknown' });
    if (outcome.kind === 'signed-out') {
      $checkout.set({ status: 'editing' });
      return refreshSession();
    }
    leaveForPayment(outcome.orderId, cart, total);
  }
  if ('locks' in navigator) await Promise.race([left(), pause(LOCK_HELD_MS)]);
}

const currentProblem = (): CheckoutProblem | undefined => problemOf($address.get(), $checkedCart.get());

/**
 * Whether exactly this order was already sent without an answer. It may exist and have used up the stock, so it is sent
 * again unchanged and without checks.
 */
const unansweredOrder = () => {
  const { unanswered } = readAttempt();
  return unanswered?.fingerprint === orderFingerprint($cart.get(), $address.get()) ? unanswered : undefined;
};

const fetchToday = () => Promise.race([checkAllPrices(), pause(PRICE_WAIT_MS)]);

/** Checks today's prices and delivery. Returns why the order cannot be sent as the page showed it. */
async function checkToday(shownTotal: Paise): Promise<CheckoutProblem | undefined> {
  if (!(await fetchToday()) && !$online.get()) return OFFLINE;
  return currentProblem() ?? ($amounts.get().total > shownTotal ? DEARER_DELIVERY : undefined);
}

/** Places one order for the cart and the address. Shows the outcome in $checkout. Never rejects. */
export async function placeOrder(): Promise<void> {
  if ($checkout.get().status === 'placing') return;
  if ($cart.get().length === 0) return notify(CART_EMPTY);
  const unanswered = unansweredOrder();
  // The unanswered order was another one: the customer looks at this one first.
  if (!unanswered && $checkout.get().status === 'unknown') return $checkout.set({ status: 'editing' });
  const total = unanswered?.total ?? $amountsToAgree.get().total;
  const problem = unanswered ? undefined : currentProblem();
  if (problem) return showProblem(problem);
  $checkout.set({ status: 'placing' });
  clearNotice({ title: REFUSED.title });
  const newProblem = unanswered ? undefined : await checkToday(total);
  if (newProblem) return showProblem(newProblem);
  const create = () => createFromCart(total);
  // Browsers have locks only over https or on localhost, and Firefox refuses them where it blocks cookies.
  if (!('locks' in navigator)) return create();
  const signal = AbortSignal.timeout(LOCK_WAIT_MS);
  await navigator.locks.request('checkout', { signal }, create).catch(create);
}
