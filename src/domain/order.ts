import type { Rupees } from './money.ts';
import type { Amounts } from './order-amounts.ts';
import type { OrderStatus } from './order-status.ts';
import type { Refund } from './refund.ts';
import type { OrderReturn } from './return-state.ts';
import type { ShippingAddress } from './shipping-address.ts';

export interface OrderItem {
  readonly id: string;
  /** `productTitle` in the API. */
  readonly name: string;
  readonly quantity: number;
  readonly price: Rupees;
}

/** Where the parcel is. */
export interface Tracking {
  readonly carrier: string;
  readonly number: string;
  /** '' where there is none that may be followed. */
  readonly url: string;
}

/** When the order came into a status. */
export interface OrderEvent {
  readonly status: OrderStatus;
  /** ISO 8601 as the server sent it. */
  readonly at: string;
}

export interface Order {
  readonly id: string;
  readonly status: OrderStatus;
  /** ISO 8601 as the server sent it, or ''. */
  readonly createdAt: string;
  readonly items: readonly OrderItem[];
  readonly shippingAddress: ShippingAddress;
  /** As the server sent them, else the sum of the items. */
  readonly amounts: Amounts;
  /** What goes back to the shopper, or went back. */
  readonly refunds: readonly Refund[];
  /** What the shopper asked to return; undefined where the API does not offer it. */
  readonly returns?: readonly OrderReturn[] | undefined;
  /** ISO 8601: until when items may be returned; undefined where they may not, or no more. */
  readonly returnUntil?: string | undefined;
  /** undefined where the server tells none. */
  readonly tracking?: Tracking | undefined;
  /** The oldest first; empty where the server tells none. */
  readonly events: readonly OrderEvent[];
}

export const SHIPPING_TEXT = 'Standard Shipping';
export const TRACKING_TEXT = 'Not available';

/** Carrier and number in one line; the number alone where no carrier is told. */
export const trackingText = ({ carrier, number }: Omit<Tracking, 'url'>): string =>
  `${carrier} ${number}`.trim();

/** The lines of the address as on a parcel. Blank parts are left out, with their separators. */
export function addressLines({ fullName, address, city, state, postalCode }: ShippingAddress): string[] {
  const joined = (parts: string[], separator: string): string =>
    parts.filter((part) => part.trim() !== '').join(separator);
  return [fullName, address, joined([joined([city, state], ', '), postalCode], ' ')].filter(
    (line) => line.trim() !== '',
  );
}
