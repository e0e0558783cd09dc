import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect } from 'react';
import { statusOf } from '#domain/order-status.ts';
import { Button } from '#islands/ui/Button.tsx';
import { focusAtOnce } from '#islands/ui/hooks.ts';
import { Skeleton } from '#islands/ui/Island.tsx';
import { paths } from '#paths.ts';
import { placeOrder } from '#stores/checkout/place-order.ts';
import { $placedOrder, watchPlacedOrder } from '#stores/checkout/placed-order.ts';
import { $online } from '#stores/shell/online.ts';

const FIELDS = [1, 2, 3, 4, 5, 6];

/** Shown until the session is known, so it contains no text. */
export const CheckoutSkeleton = () => (
  <div aria-hidden="true">
    <Skeleton className="checkout-bone-steps" />
    <div className="columns">
      <Skeleton className="checkout-bone-summary" />
      <div className="form">
        {FIELDS.map((field) => (
          <Skeleton key={field} className="checkout-bone-field" />
        ))}
      </div>
    </div>
  </div>
);

const Panel = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="outcome" role="alert">
    <h2 className="outcome-title" ref={focusAtOnce} tabIndex={-1}>
      {title}
    </h2>
    {children}
  </section>
);

/** For an order that was sent but not answered. It may exist, so the text never says 'failed'. */
export function UnknownOutcome() {
  const online = useStore($online);
  return (
    <Panel title="We could not confirm your order">
      <p>
        The connection broke before the shop answered. Your order may be in My Orders: please look there
        first.
      </p>
      {!online && <p id="outcome-offline">You are offline. Connect to the internet to try again.</p>}
      <p className="outcome-actions">
        <a className="btn" href={paths.orders}>
          My Orders
        </a>
        <Button
          variant="outline"
          inactive={!online}
          {...(online ? {} : { describedBy: 'outcome-offline' })}
          onClick={() => void placeOrder()}
        >
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
  const closed = order === 'unknown' ? undefined : statusOf(order.status).closedReason;
  return (
    <Panel title={closed ?? 'Your order is already placed'}>
      <p>What was in your cart has become an order.</p>
      <p className="outcome-actions">
        {closed === undefined && (
          <a className="btn" href={paths.payment(orderId)}>
            Go to payment
          </a>
        )}
        <a className={closed === undefined ? 'btn btn-outline' : 'btn'} href={paths.orders}>
          My Orders
        </a>
      </p>
    </Panel>
  );
}
