import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { EmptyCart } from '#islands/ui/EmptyCart.tsx';
import { Steps } from '#islands/ui/Steps.tsx';
import { useFocusAfterRemoval } from '#islands/ui/use-focus-after-removal.ts';
import { $checkedCart } from '#stores/cart/price-check.ts';
import { $checkout } from '#stores/checkout/checkout.ts';
import { openCheckout } from '#stores/checkout/open-checkout.ts';
import { CheckoutForm } from './CheckoutForm.tsx';
import { CheckoutSkeleton } from './CheckoutSkeleton.tsx';
import { CheckoutSummary } from './CheckoutSummary.tsx';
import { PlacedOrder, UnknownOutcome } from './Outcome.tsx';

/** The checkout page, from the address to the created order. */
export function CheckoutDesk() {
  const checkout = useStore($checkout);
  const lines = useStore($checkedCart);
  useEffect(openCheckout, []);
  useFocusAfterRemoval(lines.length, 'empty-cart-title', 'order-recap');

  // The payment page is about to open.
  if (checkout.status === 'leaving') return <CheckoutSkeleton />;
  if (checkout.status === 'placed') return <PlacedOrder orderId={checkout.orderId} />;
  if (checkout.status === 'unknown') return <UnknownOutcome />;
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
