import type { DeliveryTerms } from '#domain/delivery.ts';
import type { Paise } from '#domain/money.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { orderFingerprint } from '#domain/same-order.ts';
import { $cart } from '#stores/cart/cart.ts';
import { $delivery } from '#stores/cart/delivery.ts';
import { $checkedCart, $orderableCart, checkAllPrices } from '#stores/cart/price-check.ts';
import { $online } from '#stores/shell/online.ts';
import { pause } from '#stores/shell/pause.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';
import { $checkout, CART_EMPTY, failAttempt, REFUSED } from './checkout.ts';
import { readAttempt } from './checkout-attempt.ts';
import { type CheckoutProblem, DEARER_DELIVERY, problemOf } from './checkout-problems.ts';
import { sendCart } from './order-cart.ts';
import { $address } from './shipping-address.ts';

/** How long Create Order waits for today's prices before it goes on without them. */
const PRICE_WAIT_MS = 4_000;

const currentProblem = (): CheckoutProblem | undefined => problemOf($address.get(), $checkedCart.get());

const totalWith = (delivery: DeliveryTerms): Paise => amountsOf($orderableCart.get(), delivery).total;

/**
 * Whether exactly this order was already sent without an answer. It may exist, and its products may be sold out because
 * of it, so Create Order repeats it unchanged and without checks.
 */
const isUnanswered = (): boolean =>
  readAttempt().unanswered?.fingerprint === orderFingerprint($cart.get(), $address.get());

/** Creates the order from the cart and the address, once. */
export async function submitCheckout(): Promise<void> {
  if ($checkout.get().status === 'placing' || !$online.get()) return;
  if ($cart.get().length === 0) return notify(CART_EMPTY);
  const isResend = isUnanswered();
  const problem = isResend ? undefined : currentProblem();
  if (problem) return failAttempt(problem);
  $checkout.set({ status: 'placing' });
  withdraw(REFUSED);
  const shownDelivery = $delivery.get();
  if (!isResend) await Promise.race([checkAllPrices(), pause(PRICE_WAIT_MS)]);
  const isDearer = totalWith($delivery.get()) > totalWith(shownDelivery);
  const newProblem = isResend ? undefined : (currentProblem() ?? (isDearer ? DEARER_DELIVERY : undefined));
  if (newProblem) return failAttempt(newProblem);
  await sendCart();
}
