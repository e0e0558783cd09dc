import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { Island } from '#islands/ui/Island.tsx';
import { $session, guardPage, LOADING_SESSION } from '#stores/account/session.ts';
import { CheckoutDesk } from './CheckoutDesk.tsx';
import { CheckoutSkeleton } from './CheckoutSkeleton.tsx';

/** Spec 8. */
const LOGIN_REQUIRED = {
  title: 'Login Required',
  text: 'Please login to proceed with checkout',
  tone: 'error',
} as const;

/** Lets only signed-in users into the checkout (spec 2). */
export function Checkout() {
  const { status } = useStore($session, { ssr: () => LOADING_SESSION });
  useEffect(() => guardPage(LOGIN_REQUIRED), []);
  return <Island>{status === 'signed-in' ? <CheckoutDesk /> : <CheckoutSkeleton />}</Island>;
}
