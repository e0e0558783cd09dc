import type { Paise, Rupees } from './money.ts';
import { toPaise } from './money.ts';

export interface OrderItem {
  readonly id: string;
  /** The wire's productTitle. */
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
  /** A code of ORDER_STATUSES, another number, or nothing readable. */
  readonly status: number | 'unreadable';
  /** ISO 8601 as the server sent it, or ''. */
  readonly createdAt: string;
  readonly items: readonly OrderItem[];
  readonly shippingAddress: ShippingAddress;
}

export type StatusTone = 'yellow' | 'blue' | 'purple' | 'green' | 'red' | 'grey';

/** By status code (spec 4). */
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

export const orderTotal = ({ items }: Pick<Order, 'items'>): Paise =>
  items.reduce((sum, { price, quantity }) => sum + toPaise(price) * quantity, 0);

export const SHIPPING_FIELDS = ['fullName', 'address', 'city', 'state', 'postalCode', 'phone'] as const;

export const EMPTY_ADDRESS: ShippingAddress = {
  fullName: '',
  address: '',
  city: '',
  state: '',
  postalCode: '',
  phone: '',
};

/** The fields that are blank after trimming; nothing else blocks an order (spec 5; resolutions 34). */
export const blankShippingFields = (address: ShippingAddress): (keyof ShippingAddress)[] =>
  SHIPPING_FIELDS.filter((field) => address[field].trim() === '');

export function trimAddress(address: ShippingAddress): ShippingAddress {
  return {
    fullName: address.fullName.trim(),
    address: address.address.trim(),
    city: address.city.trim(),
    state: address.state.trim(),
    postalCode: address.postalCode.trim(),
    phone: address.phone.trim(),
  };
}

/** The address as it stands on a parcel; parts that are missing leave no trace. */
export function addressLines({ fullName, address, city, state, postalCode }: ShippingAddress): string[] {
  const joined = (parts: string[], separator: string): string =>
    parts.filter((part) => part.trim() !== '').join(separator);
  return [fullName, address, joined([joined([city, state], ', '), postalCode], ' ')].filter(
    (line) => line.trim() !== '',
  );
}

/** A text that advises and does not block, or nothing (resolutions 34). */
export const postalCodeHint = (postalCode: string): string | undefined =>
  postalCode.trim() === '' || /^[1-9]\d{2}\s?\d{3}$/.test(postalCode.trim())
    ? undefined
    : 'PIN codes have 6 digits and do not start with 0.';

/**
 * Whether an order holds just these quantities and goes to this address: how an order whose answer was lost is
 * found again among the user's orders (faults 20).
 */
export function isSameOrder(
  order: Order,
  products: Readonly<Record<string, number>>,
  address: ShippingAddress,
): boolean {
  const ordered = new Map<string, number>();
  for (const { id, quantity } of order.items) ordered.set(id, (ordered.get(id) ?? 0) + quantity);
  const wanted = Object.entries(products);
  const sameItems =
    ordered.size === wanted.length && wanted.every(([id, quantity]) => ordered.get(id) === quantity);
  const trimmed = trimAddress(address);
  return (
    sameItems &&
    (['address', 'city', 'state', 'postalCode'] as const).every(
      (field) => order.shippingAddress[field].trim() === trimmed[field],
    )
  );
}
