import { NEW_ORDER } from './new-order.ts';

/** The statuses in which an order can be cancelled, by the shopper and by the staff. */
export const CANCELLABLE = ['pending', 'processing'] as const satisfies readonly StatusName[];

export const isCancellable = ({ status }: { readonly status: OrderStatus }): boolean =>
  CANCELLABLE.some((name) => STATUSES[name].code === status);

/** A number as the server sent it, or 'unreadable' when it sent none. */
export type OrderStatus = number | 'unreadable';

export type StatusTone = 'yellow' | 'blue' | 'purple' | 'green' | 'red' | 'grey';

interface StatusRow {
  readonly label: string;
  readonly tone: StatusTone;
  /** Why an order of this status cannot be paid; only one that waits for its payment has none. */
  readonly closedReason?: string;
  /** What comes next, for the shopper. */
  readonly next?: string;
  /** Whether the parcel is on its way or there. */
  readonly hasShipped?: true;
  /** Whether money that was paid must go back. */
  readonly needsRefund?: true;
}

const PAID = 'This order is already paid.';

/**
 * The statuses of an order, in the order in which they are listed. A new one is a line here, a line in `TRANSITIONS`
 * (src/server/orders/moves.ts) and its label in Hindi (src/i18n/hi-islands.ts). `code` is stored and sent: never change it.
 */
export const STATUSES = {
  pending: { code: NEW_ORDER, label: 'Pending', tone: 'yellow', next: 'Your payment' },
  processing: {
    code: 1,
    label: 'Processing',
    tone: 'blue',
    closedReason: PAID,
    next: 'We pack it',
  },
  shipped: {
    code: 2,
    label: 'Shipped',
    tone: 'purple',
    closedReason: PAID,
    hasShipped: true,
    next: 'The carrier brings it',
  },
  delivered: { code: 3, label: 'Delivered', tone: 'green', closedReason: PAID, hasShipped: true },
  cancelled: {
    code: 4,
    label: 'Cancelled',
    tone: 'red',
    closedReason: 'This order was cancelled. It cannot be paid.',
    needsRefund: true,
  },
} as const satisfies Record<string, StatusRow & { readonly code: number }>;

export type StatusName = keyof typeof STATUSES;

/** The status of an order whose payment has just arrived. */
export const PAID_ORDER = STATUSES.processing.code;

const ROWS: readonly (StatusRow & { readonly code: number })[] = Object.values(STATUSES);

/** The row of a status. One that is not in the table is grey and takes no payment. */
export const statusOf = (status: OrderStatus): StatusRow =>
  ROWS.find(({ code }) => code === status) ?? {
    label: status === 'unreadable' ? 'Unknown' : `Unknown (${status})`,
    tone: 'grey',
    closedReason: 'This order takes no payment at the moment.',
  };

/** Only Pending offers Pay Now. */
export const isPayable = ({ status }: { readonly status: OrderStatus }): boolean =>
  statusOf(status).closedReason === undefined;

export const isPaid = ({ status }: { readonly status: OrderStatus }): boolean =>
  statusOf(status).closedReason === PAID;
