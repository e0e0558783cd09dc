import { type OrderStatus, STATUSES, type StatusName } from './order-status.ts';

/** The statuses in which an order can be cancelled, by the shopper and by the staff. */
export const CANCELLABLE = ['pending', 'processing'] as const satisfies readonly StatusName[];

export const isCancellable = ({ status }: { readonly status: OrderStatus }): boolean =>
  CANCELLABLE.some((name) => STATUSES[name].wire === status);
