import { type Cart, productQuantities } from '#domain/cart.ts';
import { normalisePin } from '#domain/pin.ts';
import { EMPTY_ADDRESS, type ShippingAddress } from '#domain/shipping-address.ts';
import { privateSection } from '#stores/account/private-page.ts';
import { $cart, EMPTY_CART } from '#stores/cart/cart.ts';
import { $place } from '#stores/cart/place.ts';
import { $typedPlace } from '#stores/cart/price-check.ts';
import { onReturn, stopAll } from '#stores/shell/events.ts';
import { inTime } from '#stores/shell/pause.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';
import { $checkout, CART_EMPTY, REFUSED, showProblem } from './checkout.ts';
import { readAttempt, renewAttempt } from './checkout-attempt.ts';
import { $address, readDraft, wasSignedOutSince } from './shipping-address.ts';

/** Starts a new attempt when the cart is filled again. Shows the order of another tab that has emptied the cart. */
function followCart(cart: Cart, before: Cart = EMPTY_CART): void {
  const checkout = $checkout.get();
  const hasOrder = 'orderId' in checkout;
  const id = checkout.status === 'failed' ? checkout.refused?.id : undefined;
  // The API has refused another quantity.
  if (id !== undefined && productQuantities(cart)[id] !== productQuantities(before)[id])
    $checkout.set({ ...checkout, refused: undefined } as typeof checkout);
  if (cart.length > 0) clearNotice(CART_EMPTY);
  if (cart.length > 0 && before.length === 0) {
    renewAttempt();
    if (hasOrder) $checkout.set({ status: 'editing' });
  } else if (cart.length === 0 && before.length > 0 && !hasOrder) {
    const { orderId } = readAttempt();
    if (orderId !== undefined) $checkout.set({ status: 'placed', orderId });
  }
}

/** Shows what became of an order that this page, before a reload or the back/forward cache, or another tab has sent. */
function resume(): void {
  const checkout = $checkout.get();
  const { orderId, unanswered } = readAttempt();
  const isEmpty = $cart.get().length === 0;
  if (checkout.status === 'leaving') $checkout.set({ ...checkout, status: 'placed' });
  else if (checkout.status !== 'editing' && checkout.status !== 'placing') return;
  else if (isEmpty && orderId !== undefined) $checkout.set({ status: 'placed', orderId, isResumed: true });
  else {
    // After a sign-out another customer may have the cart. The same order with the same address is still sent only once.
    const isOwn = unanswered && !wasSignedOutSince(unanswered.at);
    $checkout.set({ status: isOwn && !isEmpty ? 'unknown' : 'editing' });
  }
}

/** A PIN code that the visitor has typed before is not asked again. */
const withPlace = (address: ShippingAddress): ShippingAddress => ({
  ...address,
  postalCode: address.postalCode || $place.get(),
});

const loadPlaceOrder = () => import('./place-order.ts');

/** Places the order. No first view waits for the code. If it cannot be loaded, nothing is sent. */
export async function submitCheckout(): Promise<void> {
  const code = await inTime(loadPlaceOrder()).catch(() => undefined);
  if (code) return code.placeOrder();
  notify(REFUSED);
  showProblem({ errors: {}, summary: { title: 'Failed to create order' } });
}

export function openCheckout(): () => void {
  const close = stopAll(
    $cart.subscribe(followCart),
    // Hiding the address does not delete its draft, which a customer who is still signed in gets back.
    privateSection({
      load: async () => $address.set(withPlace(readDraft())),
      hide: () => $address.set(EMPTY_ADDRESS),
    }).open(),
    onReturn(resume),
    $address.listen(() => void loadPlaceOrder().catch(() => {})),
    $address.subscribe(({ postalCode }) => $typedPlace.set(normalisePin(postalCode.trim()))),
  );
  resume();
  if ($cart.get().length === 0 && $checkout.get().status === 'editing') notify(CART_EMPTY);
  return close;
}
