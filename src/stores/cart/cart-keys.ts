/** The localStorage key. */
export const CART_KEY = 'cart';

/** How many products are asked for at once. */
export const REQUESTS_AT_ONCE = 6;
