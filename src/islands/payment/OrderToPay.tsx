import { useStore } from '@nanostores/react';
import { formatPaise } from '#domain/money.ts';
import { orderTotal } from '#domain/order.ts';
import { $paidOrder } from '#stores/payment.ts';

/** Number and amount of the order; the amount once GET /orders has told it. */
export function OrderToPay() {
  const { id, order } = useStore($paidOrder);
  return (
    <dl className="payment-order">
      <div>
        <dt>Order</dt>
        <dd>#{id}</dd>
      </div>
      {order && (
        <div>
          <dt>To pay</dt>
          <dd className="payment-amount">{formatPaise(orderTotal(order))}</dd>
        </div>
      )}
    </dl>
  );
}
