/* The keys of what the payment page stores for this tab. */

export const ORDER_TO_PAY = 'order-to-pay';
export const WAITING_PAYMENT = 'waiting-payment';
