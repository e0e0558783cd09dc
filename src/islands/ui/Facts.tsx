import type { ReactNode } from 'react';
import type { Order } from '#domain/order.ts';
import { type OrderStatus, statusOf } from '#domain/order-status.ts';

const SHOWN_LENGTH = 8;

/**
 * Shows the number of an order. Without one it shows the beginning of the id. The rest of the id takes no space on a
 * screen but is printed, selected, copied and read out with it, because only the whole id finds the order.
 */
export const OrderNumber = ({ id, number }: Partial<Pick<Order, 'number'>> & Pick<Order, 'id'>) => (
  <span className="select-all whitespace-nowrap print:whitespace-normal" translate="no">
    <span>{number || `#${id.slice(0, SHOWN_LENGTH)}`}</span>
    {/* Hidden, but not from copying, screen readers and search, and without a space or line break. */}
    {!number && <span className="text-[0px] tracking-normal print:text-base">{id.slice(SHOWN_LENGTH)}</span>}
  </span>
);

const TONES = {
  yellow: 'bg-yellow text-on-yellow',
  blue: 'bg-blue text-on-blue',
  purple: 'bg-purple text-on-purple',
  green: 'bg-green text-on-green',
  red: 'bg-red text-on-red',
  grey: 'bg-grey text-on-grey',
} as const;

interface StatusBadgeProps {
  readonly status: OrderStatus;
  readonly className?: string;
}

export function StatusBadge({ status, className = '' }: StatusBadgeProps) {
  const { label, tone } = statusOf(status);
  return (
    <span
      className={`inline-flex min-h-7.5 flex-none items-center gap-1.75 rounded-full border border-transparent px-3 font-bold text-caption before:size-2 before:rounded-full before:bg-current ${TONES[tone]} ${className}`}
    >
      {label}
    </span>
  );
}

export type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly className?: string;
  /** Of each pair of a name and its value. */
  readonly rowClass?: string;
}

export const Facts = ({ facts, className, rowClass }: FactsProps) => (
  <dl className={className}>
    {facts.map(([name, value], index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have one name
      <div className={rowClass} key={index}>
        <dt className="text-caption text-ink3">{name}</dt>
        <dd className="[overflow-wrap:anywhere]">{value}</dd>
      </div>
    ))}
  </dl>
);
