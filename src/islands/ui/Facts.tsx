import type { ReactNode } from 'react';
import { type Order, TRACKING_TEXT, trackingText } from '#domain/order.ts';
import { type OrderStatus, statusOf } from '#domain/order-status.ts';

/** A link to the carrier's page if its address is known. */
export function TrackingNumber({ order: { tracking } }: { readonly order: Order }) {
  if (!tracking) return TRACKING_TEXT;
  return (
    <a href={tracking.url || undefined} target="_blank" rel="noopener noreferrer" translate="no">
      {trackingText(tracking)}
    </a>
  );
}

const SHOWN_LENGTH = 8;

/**
 * Shows the beginning of an order number. The rest takes no space but is selected, copied and read out with it, because
 * only the whole number finds the order.
 */
export const OrderNumber = ({ id }: { readonly id: string }) => (
  <span className="order-number" translate="no">
    {`#${id.slice(0, SHOWN_LENGTH)}`}
    <span>{id.slice(SHOWN_LENGTH)}</span>
  </span>
);

export function StatusBadge({ status }: { readonly status: OrderStatus }) {
  const { label, tone } = statusOf(status);
  return <span className={`status status-${tone}`}>{label}</span>;
}

export type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly className?: string;
}

export const Facts = ({ facts, className }: FactsProps) => (
  <dl className={className}>
    {facts.map(([name, value], index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have one name
      <div key={index}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
