/* What the API answers where it refuses what a shopper asks about an order, and the page says without an answer. */

export const TOO_LATE_TO_CANCEL = 'This order has already left. It can no longer be cancelled.';
