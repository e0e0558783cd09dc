import { encodePart } from '#domain/url.ts';

const LOCAL_HOST = 'http://localhost:8044';
const API_PATH = '/api/v1';

/** Returns the local API on a page of `localhost`, else (also in the build) the host in PUBLIC_API_HOST. */
export function apiBase(pageHost = globalThis.location?.hostname): string {
  const host = pageHost === 'localhost' ? LOCAL_HOST : import.meta.env.PUBLIC_API_HOST || LOCAL_HOST;
  return host.replace(/\/+$/, '') + API_PATH;
}

/** Addresses that more than one module requests, relative to the API's base address. */
export const ADDRESSES = {
  account: 'accountInfo',
  orders: 'orders',
  paymentFields: 'payments/fields',
  product: (id: string): string => `products/${encodePart(id)}`,
} as const;
