import { useStore } from '@nanostores/react';
import { formatPaise } from '#domain/money.ts';
import { OrderNumber } from '#islands/ui/Facts.tsx';
import { readShownTotal } from '#stores/checkout/shown-total.ts';
import { $paidOrder } from '#stores/payment/payment.ts';

/** The number and amount of the order, and a warning if it costs more than the cart showed. */
export function OrderToPay() {
  const { id, order } = useStore($paidOrder);
  const total = order?.amounts.total;
  const shown = readShownTotal(id);
  return (
    <>
      <dl className="payment-order">
        <div>
          <dt>Order</dt>
          <dd>
            <OrderNumber id={id} />
          </dd>
        </div>
        {total !== undefined && (
          <div>
            <dt>To pay</dt>
            <dd className="payment-amount">{formatPaise(total)}</dd>
          </div>
        )}
      </dl>
      {total !== undefined && shown !== undefined && total > shown && (
        <p className="payment-note" role="alert">
          {`Prices went up while you ordered: your cart came to ${formatPaise(shown)}. Pay only if you agree.`}
        </p>
      )}
    </>
  );
}
