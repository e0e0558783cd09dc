// biome-ignore-all lint/a11y/noRedundantRoles: on phones the rows are grids, and Safari then forgets their roles
import { useEffect, useRef } from 'react';
import { formatOrderDate } from '#domain/date.ts';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { addressLines, itemText, type Order, SHIPPING_TEXT } from '#domain/order.ts';
import { balanceLines, breakdownLines, shownAmount } from '#domain/order-amounts.ts';
import { refundText, stepsOf } from '#domain/order-history.ts';
import { type Fact, Facts, OrderNumber, StatusBadge } from '#islands/ui/Facts.tsx';
import { TrackingNumber } from '#islands/ui/TrackingNumber.tsx';

/** On phones the name of an item is above its quantity and price, which are labelled. */
const ROW = 'max-sm:grid max-sm:grid-cols-[1fr_auto]';
const CELL = 'px-5 text-end align-top first:text-start first:[overflow-wrap:anywhere]';
const NAME = `${CELL} py-0.5 font-normal max-sm:col-span-full max-sm:font-semibold sm:py-2.5`;
const LABELLED = `${CELL} py-0.5 max-sm:before:text-ink3 max-sm:before:content-[attr(data-label)_':_'_/_''] sm:py-2.5`;
const TOTAL = `${CELL} border-line border-t pt-3.5 pb-4.5 font-heavy text-large`;

const Items = ({ order }: { readonly order: Order }) => (
  <table
    role="table"
    className="w-full border-line border-t [border-collapse:collapse] [font-variant-numeric:tabular-nums]"
  >
    <caption className="px-5 pt-3.5 pb-1.5 text-start font-bold">Items</caption>
    <thead className="max-sm:sr-only">
      <tr role="row">
        {['Name', 'Quantity', 'Price'].map((name) => (
          <th
            key={name}
            role="columnheader"
            className={`${CELL} py-2.5 font-normal text-caption text-ink3`}
            scope="col"
          >
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {order.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items of an order may have one id
        <tr role="row" className={`${ROW} max-sm:py-2`} key={index}>
          <th role="rowheader" className={NAME} scope="row" translate="no">
            {itemText(item)}
          </th>
          <td role="cell" className={`${LABELLED} max-sm:text-start`} data-label="Quantity">
            {item.quantity}
          </td>
          <td role="cell" className={LABELLED} data-label="Price">
            {formatRupees(item.price)}
          </td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      {breakdownLines(order.amounts).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two amounts may have one name
        <tr role="row" className={ROW} key={index}>
          <th role="rowheader" className={TOTAL} scope="row" colSpan={2}>
            {line.name}
          </th>
          <td role="cell" className={TOTAL}>
            {shownAmount(line)}
          </td>
        </tr>
      ))}
      <tr role="row" className={ROW}>
        <th role="rowheader" className={TOTAL} scope="row" colSpan={2}>
          Total
        </th>
        <td role="cell" className={TOTAL}>
          {formatPaise(order.amounts.total)}
        </td>
      </tr>
      {balanceLines(order).map(([name, amount], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two amounts may have one name
        <tr role="row" className={ROW} key={index}>
          <th role="rowheader" className={TOTAL} scope="row" colSpan={2}>
            {name}
          </th>
          <td role="cell" className={TOTAL}>
            {amount}
          </td>
        </tr>
      ))}
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
    <section className="min-w-0 overflow-hidden rounded-card border border-line" aria-labelledby="tracked">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-mist px-5 py-4">
        <h2
          id="tracked"
          className="min-w-0 font-body text-title leading-[1.3] tracking-normal [overflow-wrap:anywhere] focus:outline-none focus:[box-shadow:none]"
          tabIndex={-1}
          ref={heading}
        >
          Order <OrderNumber {...order} />
        </h2>
        <StatusBadge status={order.status} />
      </div>
      <Facts facts={facts} className="grid gap-x-6 gap-y-3 px-5 py-4 md:grid-cols-2" />
      <Items order={order} />
    </section>
  );
}
