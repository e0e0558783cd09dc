import { encodePart } from '#domain/url.ts';

/** The addresses of the API that more than one script asks, relative to its base address. */
export const ADDRESSES = {
  account: 'accountInfo',
  orders: 'orders',
  paymentFields: 'payments/fields',
  product: (id: string): string => `products/${encodePart(id)}`,
} as const;
