import { isPaid, type Order, STATUS } from '#domain/order.ts';
import { CircleCheckIcon } from '#islands/ui/CircleCheckIcon.tsx';
import { AlertIcon } from '#islands/ui/icons.tsx';
import { StatusBadge } from '#islands/ui/StatusBadge.tsx';
import { paths } from '#paths.ts';

function textOf(order: Order): string {
  if (isPaid(order)) return 'This order is already paid.';
  return order.status === STATUS.cancelled
    ? 'This order was cancelled. It cannot be paid.'
    : 'This order takes no payment at the moment.';
}

/** An order that takes no payment any more says so (resolutions 39; faults 75, 76). */
export const ClosedOrder = ({ order }: { readonly order: Order }) => (
  <div className="payment-state">
    {isPaid(order) ? <CircleCheckIcon size={40} /> : <AlertIcon size={40} />}
    <p className="payment-state-title" role="alert">
      {textOf(order)}
    </p>
    <p className="payment-number">Order #{order.id}</p>
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
