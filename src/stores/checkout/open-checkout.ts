import type { Cart } from '#domain/cart.ts';
import { EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { privateSection } from '#stores/account/private-page.ts';
import { $cart, EMPTY_CART } from '#stores/cart/cart.ts';
import { onReturn, stopAll } from '#stores/shell/events.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import { $checkout, CART_EMPTY } from './checkout.ts';
import { readAttempt, renewAttempt } from './checkout-attempt.ts';
import { $address, readDraft } from './shipping-address.ts';

/** Starts a new attempt when the cart is filled again. Shows the order of another tab that has emptied the cart. */
function followCart(cart: Cart, before: Cart = EMPTY_CART): void {
  const hasOrder = 'orderId' in $checkout.get();
  if (cart.length > 0) clearNotice(CART_EMPTY);
  if (cart.length > 0 && before.length === 0) {
    renewAttempt();
    if (hasOrder) $checkout.set({ status: 'editing' });
  } else if (cart.length === 0 && before.length > 0 && !hasOrder) {
    const { orderId } = readAttempt();
    if (orderId !== undefined) $checkout.set({ status: 'placed', orderId });
  }
}

/** A page restored from the back/forward cache has no open request any more. */
function endOpenRequest(): void {
  const checkout = $checkout.get();
  if (checkout.status === 'placing') $checkout.set({ status: 'editing' });
  if (checkout.status === 'leaving') $checkout.set({ ...checkout, status: 'placed' });
}

export function openCheckout(): () => void {
  const close = stopAll(
    $cart.subscribe(followCart),
    // Hiding the address does not delete its draft, which a customer who is still signed in gets back.
    privateSection({
      load: async () => $address.set(readDraft()),
      hide: () => $address.set(EMPTY_ADDRESS),
    }).open(),
    onReturn(endOpenRequest),
  );
  if ($cart.get().length === 0) notify(CART_EMPTY);
  return close;
}
