import { type ComponentType, useId, useState } from 'react';
import { formatOrderDate } from '#domain/date.ts';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { addressLines, type Order, type OrderItem, SHIPPING_TEXT } from '#domain/order.ts';
import { breakdownLines, lineAmount, shownAmount } from '#domain/order-amounts.ts';
import { canReturn, returnFacts } from '#domain/order-return.ts';
import { isCancellable, isPayable } from '#domain/order-status.ts';
import { stepsOf } from '#domain/order-steps.ts';
import { refundText } from '#domain/refund.ts';
import { Button } from '#islands/ui/Button.tsx';
import { type Fact, Facts, OrderNumber, StatusBadge, TrackingNumber } from '#islands/ui/Facts.tsx';
import { useLazyComponent } from '#islands/ui/hooks.ts';
import { paths } from '#paths.ts';
import { replaceOrder } from '#stores/orders/order-list.ts';
import { notify } from '#stores/shell/toasts.ts';
import type { OrderFormProps } from './OrderDialog.tsx';
import { ReorderButton } from './ReorderButton.tsx';

const loadCancelOrder = () => import('./CancelOrder.tsx').then(({ CancelOrder }) => CancelOrder);

const loadReturnItems = () => import('./ReturnItems.tsx').then(({ ReturnItems }) => ReturnItems);

interface FormButtonProps {
  readonly text: string;
  readonly order: Order;
  readonly describedBy: string;
  load(): Promise<ComponentType<OrderFormProps>>;
}

/** A button that opens a form about an order. The code of the form is loaded on the click. */
function FormButton({ text, order, describedBy, load }: FormButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const Form = useLazyComponent(isOpen, load, () => {
    close();
    notify({ title: 'Error', text: 'The connection may be slow. Please try again.', tone: 'error' });
  });
  return (
    <>
      <Button variant="ghost" busy={isOpen && !Form} describedBy={describedBy} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && Form && <Form order={order} onClose={close} onChange={replaceOrder} />}
    </>
  );
}

const Item = ({ item }: { readonly item: OrderItem }) => (
  <li>
    <span>
      <span translate="no">{item.name}</span> ×&nbsp;{item.quantity}
      {item.quantity > 1 && <span className="order-each"> {formatRupees(item.price)} each</span>}
    </span>
    <strong>{formatPaise(lineAmount(item))}</strong>
  </li>
);

export function OrderCard({ order }: { readonly order: Order }) {
  const titleId = useId();
  const facts: readonly Fact[] = [
    ['Ship to', addressLines(order.shippingAddress).join(', ') || 'Not available'],
    ['Method', SHIPPING_TEXT],
    ['Tracking', <TrackingNumber key="tracking" order={order} />],
    ...stepsOf(order),
    ...breakdownLines(order.amounts).map((line): Fact => [line.name, shownAmount(line)]),
    ...order.refunds.map((refund): Fact => ['Refund', refundText(refund)]),
    ...(__CAPABILITIES__.returns && order.returns ? returnFacts(order.returns) : []),
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
          {__CAPABILITIES__.cancelOrder && isCancellable(order) && (
            <FormButton text="Cancel order" order={order} describedBy={titleId} load={loadCancelOrder} />
          )}
          {__CAPABILITIES__.returns && canReturn(order) && (
            <FormButton text="Return items" order={order} describedBy={titleId} load={loadReturnItems} />
          )}
          <ReorderButton order={order} describedBy={titleId} />
        </div>
      </footer>
    </article>
  );
}
