/**
 * The status code of a new order. It is stored and sent: never change it. A separate module, because parsing an order
 * does not need the table of all statuses (order-status.ts).
 */
export const NEW_ORDER = 0;
