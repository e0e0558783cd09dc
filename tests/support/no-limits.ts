const NO_LIMIT = { most: 1_000_000, every: 60_000 };

/** Settings of an API that is asked far more often than any shopper does. */
export const NO_LIMITS = {
  signIn: NO_LIMIT,
  signInAddress: NO_LIMIT,
  register: NO_LIMIT,
  track: NO_LIMIT,
  orderMisses: NO_LIMIT,
};
export const NO_ORDER_LIMIT = { placed: NO_LIMIT, listed: 1_000 };
