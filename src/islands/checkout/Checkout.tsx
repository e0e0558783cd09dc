import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { DeliveryTerms } from '#domain/delivery.ts';
import { EmptyCart } from '#islands/ui/EmptyCart.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { Island } from '#islands/ui/Island.tsx';
import { Steps } from '#islands/ui/Steps.tsx';
import { SummaryColumns } from '#islands/ui/Totals.tsx';
import { $session, guardPage, LOADING_SESSION } from '#stores/account/session.ts';
import { $checkedCart } from '#stores/cart/price-check.ts';
import { startDelivery } from '#stores/cart/terms.ts';
import { $checkout } from '#stores/checkout/checkout.ts';
import { openCheckout } from '#stores/checkout/open-checkout.ts';
import { CheckoutForm } from './CheckoutForm.tsx';
import { CheckoutSummary } from './CheckoutSummary.tsx';
import { CheckoutSkeleton, PlacedOrder, UnknownOutcome } from './Outcome.tsx';

function CheckoutContents() {
  const checkout = useStore($checkout);
  const lines = useStore($checkedCart);
  useEffect(openCheckout, []);
  useFocusAfterRemoval(lines.length, 'empty-cart-title', 'order-recap');

  if (checkout.status === 'leaving') return <CheckoutSkeleton />;
  if (checkout.status === 'placed') return <PlacedOrder orderId={checkout.orderId} />;
  if (checkout.status === 'unknown') return <UnknownOutcome />;
  if (lines.length === 0) return <EmptyCart />;
  return (
    <>
      <Steps current="Shipping" />
      <SummaryColumns>
        <CheckoutSummary lines={lines} />
        <CheckoutForm lines={lines} />
      </SummaryColumns>
    </>
  );
}

const LOGIN_REQUIRED = {
  title: 'Login Required',
  text: 'Please login to proceed with checkout',
  tone: 'error',
} as const;

interface CheckoutProps {
  /** The delivery terms when the page was built; undefined if delivery was free. */
  readonly delivery?: DeliveryTerms | undefined;
}

export function Checkout({ delivery }: CheckoutProps) {
  useState(() => startDelivery(delivery));
  const { status } = useStore($session, { ssr: () => LOADING_SESSION });
  useEffect(() => guardPage(LOGIN_REQUIRED), []);
  return <Island>{status === 'signed-in' ? <CheckoutContents /> : <CheckoutSkeleton />}</Island>;
}
