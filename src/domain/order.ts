import type { Paise, Rupees } from './money.ts';
import { toPaise } from './money.ts';
import type { OrderStatus } from './order-status.ts';

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
  readonly status: OrderStatus;
  /** ISO 8601 as the server sent it, or ''. */
  readonly createdAt: string;
  readonly items: readonly OrderItem[];
  readonly shippingAddress: ShippingAddress;
}

export const SHIPPING_TEXT = 'Standard Shipping';
export const TRACKING_TEXT = 'Not available';

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
