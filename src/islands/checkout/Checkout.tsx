import './checkout.css';
import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CheckedLine } from '#domain/price-check.ts';
import { EmptyCart } from '#islands/ui/EmptyCart.tsx';
import { $checkout, NEW_CHECKOUT, openCheckout } from '#stores/checkout.ts';
import { $checkedCart } from '#stores/price-check.ts';
import { $session, LOADING_SESSION } from '#stores/session.ts';
import { CheckoutForm } from './CheckoutForm.tsx';
import { CheckoutSkeleton } from './CheckoutSkeleton.tsx';
import { CheckoutSummary } from './CheckoutSummary.tsx';
import { AlreadyPlaced, UnknownOutcome } from './Outcome.tsx';
import { Steps } from './Steps.tsx';

const NO_LINES: CheckedLine[] = [];

/** From the cart to an order (spec 2, checkout). */
export function Checkout() {
  const session = useStore($session, { ssr: () => LOADING_SESSION });
  const { status, orderId } = useStore($checkout, { ssr: () => NEW_CHECKOUT });
  const lines = useStore($checkedCart, { ssr: () => NO_LINES });
  useEffect(openCheckout, []);

  if (session.status !== 'signed-in') return <CheckoutSkeleton />;
  if (status === 'placed' && orderId !== undefined) return <AlreadyPlaced orderId={orderId} />;
  if (status === 'unknown') return <UnknownOutcome />;
  if (lines.length === 0) return <EmptyCart />;
  return (
    <>
      <Steps />
      <div className="checkout-columns">
        <CheckoutSummary lines={lines} />
        <CheckoutForm lines={lines} />
      </div>
    </>
  );
}
