import { type Order, statusBadge } from '#domain/order.ts';

/** The label of an order status on its colour (spec 4). */
export function StatusBadge({ status }: Pick<Order, 'status'>) {
  const { label, tone } = statusBadge(status);
  return <span className={`status status-${tone}`}>{label}</span>;
}
