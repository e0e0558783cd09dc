import type { Paise, Rupees } from './money.ts';
import { toPaise } from './money.ts';

export interface OrderItem {
  readonly id: string;
  /** `productTitle` in the API. */
  readonly name: string;
  readonly quantity: number;
  readonly price: Rupees;
}

export interface ShippingAddress {
  readonly fullName: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  readonly phone: string;
}

export interface Order {
  readonly id: string;
  /** A status code of spec 4, any other number, or 'unreadable' when the server sent no number. */
  readonly status: number | 'unreadable';
  /** ISO 8601 as the server sent it, or ''. */
  readonly createdAt: string;
  readonly items: readonly OrderItem[];
  readonly shippingAddress: ShippingAddress;
}

export type StatusTone = 'yellow' | 'blue' | 'purple' | 'green' | 'red' | 'grey';

/** Labels and colours by status code (spec 4). */
const ORDER_STATUSES: readonly { readonly label: string; readonly tone: StatusTone }[] = [
  { label: 'Pending', tone: 'yellow' },
  { label: 'Processing', tone: 'blue' },
  { label: 'Shipped', tone: 'purple' },
  { label: 'Delivered', tone: 'green' },
  { label: 'Cancelled', tone: 'red' },
];

export const STATUS = { pending: 0, processing: 1, shipped: 2, delivered: 3, cancelled: 4 } as const;

export const SHIPPING_METHOD = 'Standard Shipping';
export const NO_TRACKING = 'Not available';

/** The badge of a status (resolutions 20). */
export function statusBadge(status: Order['status']): { label: string; tone: StatusTone } {
  if (status === 'unreadable') return { label: 'Unknown', tone: 'grey' };
  return ORDER_STATUSES[status] ?? { label: `Unknown (${status})`, tone: 'grey' };
}

/** Only Pending offers Pay Now (spec 4). */
export const isPayable = ({ status }: Pick<Order, 'status'>): boolean => status === STATUS.pending;

export const isPaid = ({ status }: Pick<Order, 'status'>): boolean =>
  status === STATUS.processing || status === STATUS.shipped || status === STATUS.delivered;

/** Says why an order cannot be paid. Undefined for an order that waits for its payment (faults 75, 76). */
export function closedText(order: Pick<Order, 'status'>): string | undefined {
  if (isPayable(order)) return undefined;
  if (isPaid(order)) return 'This order is already paid.';
  return order.status === STATUS.cancelled
    ? 'This order was cancelled. It cannot be paid.'
    : 'This order takes no payment at the moment.';
}

export const orderTotal = ({ items }: Pick<Order, 'items'>): Paise =>
  items.reduce((sum, { price, quantity }) => sum + toPaise(price) * quantity, 0);

/** The lines of the address as on a parcel. Blank parts are left out, with their separators. */
export function addressLines({ fullName, address, city, state, postalCode }: ShippingAddress): string[] {
  const joined = (parts: string[], separator: string): string =>
    parts.filter((part) => part.trim() !== '').join(separator);
  return [fullName, address, joined([joined([city, state], ', '), postalCode], ' ')].filter(
    (line) => line.trim() !== '',
  );
}
