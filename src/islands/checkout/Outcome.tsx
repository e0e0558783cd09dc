import '#styles/button.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { paths } from '#paths.ts';
import { createOrder } from '#stores/checkout.ts';

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="outcome" role="alert">
      <h2 className="outcome-title" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Sent, and no answer came: never 'failed' (faults 20). Trying again makes no second order. */
export const UnknownOutcome = () => (
  <Panel title="We could not confirm your order">
    <p>
      The connection broke before the shop answered. Your order may be in My Orders: please look there first.
    </p>
    <p className="outcome-actions">
      <a className="btn" href={paths.orders}>
        My Orders
      </a>
      <Button look="outline" onClick={() => void createOrder()}>
        Try Again
      </Button>
    </p>
  </Panel>
);

/** Placed here or in another tab (faults 31). */
export const AlreadyPlaced = ({ orderId }: { readonly orderId: string }) => (
  <Panel title="Your order is already placed">
    <p>What was in your cart has become an order.</p>
    <p className="outcome-actions">
      <a className="btn" href={paths.payment(orderId)}>
        Go to payment
      </a>
      <a className="btn btn-outline" href={paths.orders}>
        My Orders
      </a>
    </p>
  </Panel>
);
