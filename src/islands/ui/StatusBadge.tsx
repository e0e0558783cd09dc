import { type OrderStatus, statusOf } from '#domain/order-status.ts';

/** The label of an order status on its colour. */
export function StatusBadge({ status }: { readonly status: OrderStatus }) {
  const { label, tone } = statusOf(status);
  return <span className={`status status-${tone}`}>{label}</span>;
}
