import type { Order } from '#domain/order.ts';
import { isPaid, statusOf } from '#domain/order-status.ts';
import { OrderNumber, StatusBadge } from '#islands/ui/Facts.tsx';
import { AlertIcon, CircleCheckIcon } from '#islands/ui/icons.tsx';
import { paths } from '#paths.ts';

/** The view of an order that cannot be paid any more. */
export const ClosedOrder = ({ order }: { readonly order: Order }) => (
  <div className="payment-state">
    {isPaid(order) ? <CircleCheckIcon size={40} /> : <AlertIcon size={40} />}
    <p id="payment-closed" className="payment-state-title" role="alert" tabIndex={-1}>
      {statusOf(order.status).whyClosed}
    </p>
    <p className="payment-number">
      Order <OrderNumber id={order.id} />
    </p>
    <StatusBadge status={order.status} />
    <div className="payment-actions">
      <a className="btn" href={paths.orders}>
        View My Orders
      </a>
      <a className="btn btn-outline" href={paths.products}>
        Browse Products
      </a>
    </div>
  </div>
);
