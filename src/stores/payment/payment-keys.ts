/** The keys of what the payment page stores for this tab. */
export const PAYMENT_KEYS = { order: 'order-to-pay', waiting: 'waiting-payment' } as const;
