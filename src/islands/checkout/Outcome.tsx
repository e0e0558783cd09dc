import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import { whyClosed } from '#domain/order-status.ts';
import { Button, ButtonLink } from '#islands/ui/Button.tsx';
import { focusAtOnce } from '#islands/ui/hooks.ts';
import { Skeleton } from '#islands/ui/Island.tsx';
import { SummaryColumns } from '#islands/ui/Totals.tsx';
import { paths } from '#paths.ts';
import { submitCheckout } from '#stores/checkout/open-checkout.ts';
import { $placedOrder, watchPlacedOrder } from '#stores/checkout/placed-order.ts';
import { FORM } from './CheckoutForm.tsx';

const FIELDS = [1, 2, 3, 4, 5, 6];

/** Shown until the session is known, so it contains no text. */
export const CheckoutSkeleton = () => (
  <div aria-hidden="true">
    <Skeleton className="mt-4 h-12 rounded-small" />
    <SummaryColumns>
      <Skeleton className="h-27.5 rounded-small md:col-start-2 md:row-start-1 md:h-80" />
      <div className={FORM}>
        {FIELDS.map((field) => (
          <Skeleton key={field} className="h-21 rounded-small" />
        ))}
      </div>
    </SummaryColumns>
  </div>
);

const Panel = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="mt-5 max-w-155 rounded-card border border-line p-6" role="alert">
    <h2 className="text-display focus:outline-none focus:[box-shadow:none]" ref={focusAtOnce} tabIndex={-1}>
      {title}
    </h2>
    <div className="mt-2.5 grid gap-2.5 text-ink2">{children}</div>
  </section>
);

/** For an order that was sent but not answered. It may exist, so the text never says 'failed'. */
export function UnknownOutcome() {
  return (
    <Panel title="We could not confirm your order">
      <p>
        The connection broke before the shop answered. Your order may be in My Orders: please look there
        first.
      </p>
      <p className="flex flex-wrap gap-3 pt-2">
        <ButtonLink href={paths.orders}>My Orders</ButtonLink>
        <Button variant="outline" onClick={() => void submitCheckout()}>
          Try Again
        </Button>
      </p>
    </Panel>
  );
}

export function PlacedOrder({ orderId }: { readonly orderId: string }) {
  const order = useStore($placedOrder);
  useEffect(() => watchPlacedOrder(orderId), [orderId]);
  if (order === 'loading') return <CheckoutSkeleton />;
  const closed = order === 'unknown' ? undefined : whyClosed(order);
  return (
    <Panel title={closed ?? 'Your order is already placed'}>
      <p>What was in your cart has become an order.</p>
      <p className="flex flex-wrap gap-3 pt-2">
        {closed === undefined && <ButtonLink href={paths.payment(orderId)}>Go to payment</ButtonLink>}
        <ButtonLink variant={closed === undefined ? 'outline' : 'primary'} href={paths.orders}>
          My Orders
        </ButtonLink>
      </p>
    </Panel>
  );
}
