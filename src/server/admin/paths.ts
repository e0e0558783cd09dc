import { isRemote } from '#server/http/names.ts';

/** Where the admin is. Every path of a page is below it. */
export const ADMIN = '/admin';

/** Where somebody sets up the second factor. */
export const SECOND_FACTOR = `${ADMIN}/second-factor`;

export const CATALOGUE = `${ADMIN}/catalogue`;

export const PRICES = `${CATALOGUE}/prices`;

export const SALES = `${CATALOGUE}/sales`;

export const SORT = `${CATALOGUE}/sort`;

export const productPath = (id: string): string => `${CATALOGUE}/products/${encodeURIComponent(id)}`;

/** A small form of a picture. One at another host is shown as it is. */
export const thumbnailPath = (picture: string): string =>
  isRemote(picture) ? picture : `${CATALOGUE}/thumbnails/${encodeURIComponent(picture)}`;

export const ORDERS = `${ADMIN}/orders`;

export const orderPath = (id: string): string => `${ORDERS}/${id}`;

/** Where the staff notes what was done by hand about a payment. */
export const paymentPath = (reference: string): string => `${ORDERS}/payments/${reference}`;

/** Where a payment is given back, all of it or a part. */
export const refundPath = (reference: string): string => `${paymentPath(reference)}/refund`;

/** The payment methods. */
export const PAYMENT_METHODS = `${ADMIN}/payment-methods`;

/** What the shop writes to its customers. */
export const EMAILS = `${ADMIN}/emails`;

/** What is kept about a customer. */
export const CUSTOMERS = `${ADMIN}/customers`;

export const customerPath = (id: string): string => `${CUSTOMERS}/${id}`;

/** How an order is named where there is little room. The search finds it by these characters. */
export const shortId = (id: string): string => id.slice(0, 8);

export const CATEGORIES = `${ADMIN}/store/categories`;
