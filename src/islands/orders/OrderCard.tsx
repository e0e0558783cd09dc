import { useId } from 'react';
import { formatOrderDate } from '#domain/date.ts';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { addressLines, type Order, type OrderItem, SHIPPING_TEXT } from '#domain/order.ts';
import { lineAmount, shownAmount, tellingLines } from '#domain/order-amounts.ts';
import { canReturn, returnFacts } from '#domain/order-return.ts';
import { isCancellable, isPayable } from '#domain/order-status.ts';
import { stepsOf } from '#domain/order-steps.ts';
import { refundText } from '#domain/refund.ts';
import { type Fact, Facts, OrderNumber, StatusBadge, TrackingNumber } from '#islands/ui/Facts.tsx';
import { paths } from '#paths.ts';
import { BuyAgain } from './BuyAgain.tsx';
import { FormButton } from './FormButton.tsx';

const loadCancelOrder = () => import('./CancelOrder.tsx').then(({ CancelOrder }) => CancelOrder);

const loadReturnItems = () => import('./ReturnItems.tsx').then(({ ReturnItems }) => ReturnItems);

const Item = ({ item }: { readonly item: OrderItem }) => (
  <li>
    <span>
      <span translate="no">{item.name}</span> ×&nbsp;{item.quantity}
      {item.quantity > 1 && <span className="order-each"> {formatRupees(item.price)} each</span>}
    </span>
    <strong>{formatPaise(lineAmount(item))}</strong>
  </li>
);

/** One order, with Pay Now while it is Pending. */
export function OrderCard({ order }: { readonly order: Order }) {
  const titleId = useId();
  const facts: readonly Fact[] = [
    ['Ship to', addressLines(order.shippingAddress).join(', ') || 'Not available'],
    ['Method', SHIPPING_TEXT],
    ['Tracking', <TrackingNumber key="tracking" order={order} />],
    ...stepsOf(order),
    ...tellingLines(order.amounts).map((line): Fact => [line.name, shownAmount(line)]),
    ...order.refunds.map((refund): Fact => ['Refund', refundText(refund)]),
    ...(__OFFERS__.returns && order.returns ? returnFacts(order.returns) : []),
    ['Total', formatPaise(order.amounts.total)],
  ];
  return (
    <article className="order" aria-labelledby={titleId}>
      <header className="order-head">
        <div className="order-name">
          <p>Order</p>
          <h2 id={titleId}>
            <OrderNumber id={order.id} />
          </h2>
        </div>
        <time dateTime={order.createdAt || undefined}>{formatOrderDate(order.createdAt)}</time>
        <StatusBadge status={order.status} />
      </header>
      <ul className="order-items">
        {order.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items of an order may have one id
          <Item key={index} item={item} />
        ))}
      </ul>
      <footer className="order-foot">
        <Facts facts={facts} />
        <div className="order-actions">
          {isPayable(order) && (
            <a className="btn" href={paths.payment(order.id)} aria-describedby={titleId}>
              Pay Now
            </a>
          )}
          {__OFFERS__.cancelOrder && isCancellable(order) && (
            <FormButton text="Cancel order" order={order} describedBy={titleId} load={loadCancelOrder} />
          )}
          {__OFFERS__.returns && canReturn(order) && (
            <FormButton text="Return items" order={order} describedBy={titleId} load={loadReturnItems} />
          )}
          <BuyAgain order={order} describedBy={titleId} />
        </div>
      </footer>
    </article>
  );
}
