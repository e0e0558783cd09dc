import { useStore } from '@nanostores/react';
import { type ComponentType, useEffect, useState } from 'react';
import { Island } from '#islands/ui/Island.tsx';
import { paths } from '#paths.ts';
import { $session, guardPage, LOADING_SESSION } from '#stores/account/session.ts';
import { pageLoaded } from '#stores/shell/page-loaded.ts';
import { CheckoutSkeleton } from './CheckoutSkeleton.tsx';

/** Spec 8. */
const LOGIN_REQUIRED = {
  title: 'Login Required',
  text: 'Please login to proceed with checkout',
  tone: 'error',
} as const;

const fetchDesk = async (): Promise<ComponentType> => {
  await pageLoaded();
  const { CheckoutDesk } = await import('./CheckoutDesk.tsx');
  return CheckoutDesk;
};

/** Shown if the code of the desk could not be loaded. */
const NoDesk = () => (
  <p className="outcome" role="alert">
    The checkout could not be loaded. What you typed is kept. <a href={paths.checkout}>Reload</a>
  </p>
);

/** Lets only signed-in users into the checkout (spec 2), and loads its content for them. */
export function Checkout() {
  const { status } = useStore($session, { ssr: () => LOADING_SESSION });
  const [Desk, setDesk] = useState<ComponentType>();
  useEffect(() => guardPage(LOGIN_REQUIRED), []);
  useEffect(() => {
    if (status !== 'signed-in') return;
    fetchDesk().then(
      (desk) => setDesk(() => desk),
      () => setDesk(() => NoDesk),
    );
  }, [status]);
  return <Island>{status === 'signed-in' && Desk ? <Desk /> : <CheckoutSkeleton />}</Island>;
}
