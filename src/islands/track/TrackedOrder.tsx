import { useEffect, useRef } from 'react';
import { formatOrderDate } from '#domain/date.ts';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { addressLines, type Order, SHIPPING_TEXT } from '#domain/order.ts';
import { breakdownLines, shownAmount } from '#domain/order-amounts.ts';
import { stepsOf } from '#domain/order-steps.ts';
import { refundText } from '#domain/refund.ts';
import { type Fact, Facts, OrderNumber, StatusBadge, TrackingNumber } from '#islands/ui/Facts.tsx';

const Items = ({ order }: { readonly order: Order }) => (
  <table className="track-items">
    <caption>Items</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Quantity</th>
        <th scope="col">Price</th>
      </tr>
    </thead>
    <tbody>
      {order.items.map(({ name, quantity, price }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items of an order may have one id
        <tr key={index}>
          <th scope="row" translate="no">
            {name}
          </th>
          <td data-label="Quantity">{quantity}</td>
          <td data-label="Price">{formatRupees(price)}</td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      {breakdownLines(order.amounts).map((line) => (
        <tr key={line.name}>
          <th scope="row" colSpan={2}>
            {line.name}
          </th>
          <td>{shownAmount(line)}</td>
        </tr>
      ))}
      <tr>
        <th scope="row" colSpan={2}>
          Total
        </th>
        <td>{formatPaise(order.amounts.total)}</td>
      </tr>
    </tfoot>
  </table>
);

export interface TrackedOrderProps {
  readonly order: Order;
  /** The heading takes the focus when it changes. */
  readonly attempt: number;
}

export function TrackedOrder({ order, attempt }: TrackedOrderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer takes the focus
  useEffect(() => heading.current?.focus(), [attempt]);
  const facts: readonly Fact[] = [
    ['Date', formatOrderDate(order.createdAt)],
    ['Shipping address', addressLines(order.shippingAddress).join(', ') || 'Not available'],
    ['Shipping method', SHIPPING_TEXT],
    ['Tracking number', <TrackingNumber key="tracking" order={order} />],
    ...stepsOf(order),
    ...order.refunds.map((refund): Fact => ['Refund', refundText(refund)]),
  ];
  return (
    <section className="track-order" aria-labelledby="tracked">
      <div className="track-head">
        <h2 id="tracked" tabIndex={-1} ref={heading}>
          Order <OrderNumber id={order.id} />
        </h2>
        <StatusBadge status={order.status} />
      </div>
      <Facts facts={facts} className="track-facts" />
      <Items order={order} />
    </section>
  );
}
