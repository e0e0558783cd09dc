import { formatPaise, type Paise } from './money.ts';

/** The status code of a new order. It is stored and sent: never change it. */
export const NEW_ORDER = 0;

export const CANCELLABLE = ['pending', 'processing'] as const satisfies readonly StatusName[];

export const isCancellable = ({ status }: { readonly status: OrderStatus }): boolean =>
  CANCELLABLE.some((name) => STATUSES[name].code === status);

/** The server's number, or 'unreadable' if it sent something else. */
export type OrderStatus = number | 'unreadable';

export type StatusTone = 'yellow' | 'blue' | 'purple' | 'green' | 'red' | 'grey';

interface StatusRow {
  readonly label: string;
  readonly tone: StatusTone;
  /** Why an order of this status cannot be paid, unless something is due for it. Absent if it can. */
  readonly closedReason?: string;
  /** What the shopper can expect next. */
  readonly next?: string;
  /** Whether the parcel is on its way or delivered. */
  readonly hasShipped?: true;
  readonly needsRefund?: true;
}

const PAID = 'This order is already paid.';

/**
 * The statuses of an order in display order. `code` is stored and sent: never change it. A new status is a line here, a
 * line in `TRANSITIONS` (src/server/fulfilment) and its Hindi label (src/i18n/hi-islands.ts).
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

export const PAID_ORDER = STATUSES.processing.code;

const ROWS: readonly (StatusRow & { readonly code: number })[] = Object.values(STATUSES);

/** Returns the row of a status. An unknown status is grey and cannot be paid. */
export const statusOf = (status: OrderStatus): StatusRow =>
  ROWS.find(({ code }) => code === status) ?? {
    label: status === 'unreadable' ? 'Unknown' : `Unknown (${status})`,
    tone: 'grey',
    closedReason: 'This order takes no payment at the moment.',
  };

interface Payable {
  readonly status: OrderStatus;
  /** What is still to pay. undefined if the API does not have the capability `balances`: then the status decides. */
  readonly due?: Paise | undefined;
  readonly payOnDelivery?: boolean | undefined;
}

/** Returns why an order cannot be paid, or undefined. */
export function whyClosed({ status, due, payOnDelivery }: Payable): string | undefined {
  const { closedReason } = statusOf(status);
  if (due === undefined || (closedReason !== undefined && closedReason !== PAID)) return closedReason;
  if (due === 0) return PAID;
  return payOnDelivery ? `You pay ${formatPaise(due)} in cash on delivery` : undefined;
}

export const isPayable = (order: Payable): boolean => whyClosed(order) === undefined;

export const isPaid = (order: Payable): boolean => whyClosed(order) === PAID;
