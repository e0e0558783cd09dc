/**
 * The status of an order that was just placed. It is stored and sent: never change it. This is a module of its own, because
 * every order that is read needs it, but not the table of all statuses (order-status.ts).
 */
export const NEW_ORDER = 0;
