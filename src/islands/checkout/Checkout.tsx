import { useStore } from '@nanostores/react';
import { type ComponentType, useEffect, useState } from 'react';
import { Island } from '#islands/ui/Island.tsx';
import { paths } from '#paths.ts';
import { $session, LOADING_SESSION } from '#stores/account/session.ts';
import { guardCheckout } from '#stores/checkout/checkout-guard.ts';
import { pageLoaded } from '#stores/shell/page-loaded.ts';
import { CheckoutSkeleton } from './CheckoutSkeleton.tsx';

const fetchDesk = async (): Promise<ComponentType> => {
  await pageLoaded();
  const { CheckoutDesk } = await import('./CheckoutDesk.tsx');
  return CheckoutDesk;
};

/** The desk's code did not come: offline, or a release ago. */
const NoDesk = () => (
  <p className="outcome" role="alert">
    The checkout could not be loaded. What you typed is kept. <a href={paths.checkout}>Reload</a>
  </p>
);

/** The guard of the checkout (spec 2); who is let in is brought to the desk. */
export function Checkout() {
  const { status } = useStore($session, { ssr: () => LOADING_SESSION });
  const [Desk, setDesk] = useState<ComponentType>();
  useEffect(guardCheckout, []);
  useEffect(() => {
    if (status !== 'signed-in') return;
    fetchDesk().then(
      (desk) => setDesk(() => desk),
      () => setDesk(() => NoDesk),
    );
  }, [status]);
  return <Island>{status === 'signed-in' && Desk ? <Desk /> : <CheckoutSkeleton />}</Island>;
}
