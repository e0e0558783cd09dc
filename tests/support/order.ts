import type { Order } from '#domain/order.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import type { ShippingAddress } from '#domain/shipping-address.ts';

export const MEERA: ShippingAddress = {
  fullName: 'Meera Kulkarni',
  address: '12 Rose Villa, MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  postalCode: '411001',
  phone: '+919876543210',
};

/** Two kinds of fruit for ₹1,398. A test names only the fields that it is about; the amounts follow from the items. */
export function anOrder(change: Partial<Order> = {}): Order {
  const items = change.items ?? [
    { id: 'mango', name: 'Alphonso Mango', quantity: 1, price: 899 },
    { id: 'strawberry', name: 'Strawberries', quantity: 2, price: 249.5 },
  ];
  return {
    id: '7f3e21ab',
    status: 0,
    createdAt: '2026-11-12T08:00:00Z',
    items,
    shippingAddress: MEERA,
    amounts: amountsOf(items),
    refunds: [],
    events: [],
    ...change,
  };
}
