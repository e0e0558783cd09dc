import { OFFICE } from '#scripts/api/office/page.ts';

export const ORDERS = `${OFFICE}/orders`;

export const orderPath = (id: string): string => `${ORDERS}/${id}`;

/** How an order is named where there is little room. The search finds it by these characters. */
export const shortId = (id: string): string => id.slice(0, 8);
