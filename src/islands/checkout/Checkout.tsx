import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { DeliveryTerms } from '#domain/delivery.ts';
import { Island } from '#islands/ui/Island.tsx';
import { $session, guardPage, LOADING_SESSION } from '#stores/account/session.ts';
import { startDelivery } from '#stores/cart/delivery.ts';
import { CheckoutDesk } from './CheckoutDesk.tsx';
import { CheckoutSkeleton } from './CheckoutSkeleton.tsx';

const LOGIN_REQUIRED = {
  title: 'Login Required',
  text: 'Please login to proceed with checkout',
  tone: 'error',
} as const;

interface CheckoutProps {
  /** What delivery cost when the page was built; undefined where it was free. */
  readonly delivery?: DeliveryTerms | undefined;
}

/** Lets only signed-in users into the checkout. */
export function Checkout({ delivery }: CheckoutProps) {
  useState(() => startDelivery(delivery));
  const { status } = useStore($session, { ssr: () => LOADING_SESSION });
  useEffect(() => guardPage(LOGIN_REQUIRED), []);
  return <Island>{status === 'signed-in' ? <CheckoutDesk /> : <CheckoutSkeleton />}</Island>;
}
