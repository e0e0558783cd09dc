import { isRemote } from '#server/http/names.ts';

export const ADMIN = '/admin';

export const SECOND_FACTOR = `${ADMIN}/second-factor`;

export const CATALOGUE = `${ADMIN}/catalogue`;

export const PRICES = `${CATALOGUE}/prices`;

export const productPath = (id: string): string => `${CATALOGUE}/products/${encodeURIComponent(id)}`;

/** The thumbnail of a stored picture. A picture at another host is shown as it is. */
export const thumbnailPath = (picture: string): string =>
  isRemote(picture) ? picture : `${CATALOGUE}/thumbnails/${encodeURIComponent(picture)}`;

export const ORDERS = `${ADMIN}/orders`;

export const orderPath = (id: string): string => `${ORDERS}/${id}`;

/** An order that the staff take for a customer. */
export const NEW_ORDER = `${ORDERS}/new`;

/** What was done with many orders at once. */
export const BATCHES = `${ORDERS}/batches`;

/** The page that takes tracking numbers from a file. */
export const TRACKING_FILE = `${BATCHES}/numbers`;

export const batchPath = (id: string): string => `${BATCHES}/${id}`;

export const PAYMENT_METHODS = `${ADMIN}/payment-methods`;

/** The emails to the signed-in staff member. */
export const NOTIFICATIONS = `${ADMIN}/notifications`;

export const EMAILS = `${ADMIN}/emails`;

export const CUSTOMERS = `${ADMIN}/customers`;

/** From whom the shop takes no cash, or no orders. */
export const BLOCKS = `${CUSTOMERS}/blocks`;

export const customerPath = (id: string): string => `${CUSTOMERS}/${id}`;

export const CATEGORIES = `${ADMIN}/store/categories`;
