import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { EmptyCart } from '#islands/ui/EmptyCart.tsx';
import { Steps } from '#islands/ui/Steps.tsx';
import { useFocusAfterRemoval } from '#islands/ui/use-focus-after-removal.ts';
import { $checkedCart } from '#stores/cart/price-check.ts';
import { $checkout, openCheckout } from '#stores/checkout/checkout.ts';
import { CheckoutForm } from './CheckoutForm.tsx';
import { CheckoutSkeleton } from './CheckoutSkeleton.tsx';
import { CheckoutSummary } from './CheckoutSummary.tsx';
import { PlacedOrder, UnknownOutcome } from './Outcome.tsx';

/** The checkout page, from the address to the created order (spec 2, checkout). */
export function CheckoutDesk() {
  const { status, orderId } = useStore($checkout);
  const lines = useStore($checkedCart);
  useEffect(openCheckout, []);
  useFocusAfterRemoval(lines.length, 'empty-cart-title', 'order-recap');

  // The payment page is about to open.
  if (status === 'leaving') return <CheckoutSkeleton />;
  if (status === 'placed' && orderId !== undefined) return <PlacedOrder orderId={orderId} />;
  if (status === 'unknown') return <UnknownOutcome />;
  if (lines.length === 0) return <EmptyCart />;
  return (
    <>
      <Steps current="Shipping" />
      <div className="checkout-columns">
        <CheckoutSummary lines={lines} />
        <CheckoutForm lines={lines} />
      </div>
    </>
  );
}
