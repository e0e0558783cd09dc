import { encodePart } from '#domain/url.ts';

/** Addresses that more than one module requests, relative to the API's base address. */
export const ADDRESSES = {
  account: 'accountInfo',
  orders: 'orders',
  paymentFields: 'payments/fields',
  product: (id: string): string => `products/${encodePart(id)}`,
} as const;
