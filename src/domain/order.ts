import type { Paise, Rupees } from './money.ts';
import type { AmountLine, Amounts } from './order-amounts.ts';
import type { OrderEvent, OrderReturn, Refund } from './order-history.ts';
import type { OrderStatus } from './order-status.ts';
import type { ShippingAddress } from './shipping-address.ts';

/** Reading many longer orders would keep other visitors waiting. */
export const MAX_LINES = 200;
export const TOO_MANY_LINES = `An order can have at most ${MAX_LINES} lines. Please make two orders of it.`;

export interface OrderItem {
  readonly id: string;
  /** Identifies the item in a return. */
  readonly line?: string;
  /** `productTitle` in the API. */
  readonly name: string;
  readonly quantity: number;
  readonly price: Rupees;
  readonly size?: string | undefined;
  readonly color?: string | undefined;
}

/** Such as 'T-shirt, M, red'. */
export const itemText = ({ name, size, color }: OrderItem): string =>
  [name, size, color].filter(Boolean).join(', ');

export interface Tracking {
  readonly carrier: string;
  readonly number: string;
  /** '' if there is no link to a known carrier. */
  readonly url: string;
}

export interface Order {
  readonly id: string;
  /** For people, such as 'FF-1042-7K3Q'; '' if the API has none. */
  readonly number: string;
  readonly status: OrderStatus;
  /** ISO 8601 as the server sent it, or ''. */
  readonly createdAt: string;
  readonly items: readonly OrderItem[];
  /** Other details that the shopper entered, such as a note to the courier. */
  readonly extras: readonly { readonly label: string; readonly value: string }[];
  readonly shippingAddress: ShippingAddress;
  /** The server's amounts, else computed from the items. */
  readonly amounts: Amounts;
  /** What the shop holds of the payments, and what is still to pay. undefined without the capability `balances`. */
  readonly paid?: Paise | undefined;
  readonly due?: Paise | undefined;
  readonly payOnDelivery?: boolean | undefined;
  /** By how much less is owed than the total. A negative amount is owed besides. */
  readonly adjustments?: readonly Pick<AmountLine, 'name' | 'paise'>[];
  /** ISO 8601: when a payment that may still arrive was started. Missing or '' without one. */
  readonly paymentStartedAt?: string | undefined;
  readonly refunds: readonly Refund[];
  /** undefined if the API does not have the capability. */
  readonly returns?: readonly OrderReturn[] | undefined;
  /** ISO 8601; undefined if items cannot be returned, or not any more. */
  readonly returnUntil?: string | undefined;
  readonly tracking?: Tracking | undefined;
  /** Those that have left, if the order comes in several. */
  readonly parcels?: readonly Tracking[] | undefined;
  /** The oldest first. */
  readonly events: readonly OrderEvent[];
}

export const SHIPPING_TEXT = 'Standard Shipping';
export const TRACKING_TEXT = 'Not available';

export const trackingText = ({ carrier, number }: Omit<Tracking, 'url'>): string =>
  `${carrier} ${number}`.trim();

/** Returns the address as on a parcel, without blank parts and their separators. */
export function addressLines({ fullName, address, city, state, postalCode }: ShippingAddress): string[] {
  const joined = (parts: string[], separator: string): string =>
    parts.filter((part) => part.trim() !== '').join(separator);
  return [fullName, address, joined([joined([city, state], ', '), postalCode], ' ')].filter(
    (line) => line.trim() !== '',
  );
}
