import type { Limit } from '#scripts/api/db/limiter.ts';

const MINUTE = 60_000;

interface LimitRow extends Limit {
  /** The environment variable that sets `most`. */
  readonly variable: string;
  /** What is counted, as the table of settings in the README says it. */
  readonly what: string;
}

/** A new limit is a line here, its line in the README, and its use: `shop.limiters.{name}`. Orders count their own rows instead. */
export const LIMITS = {
  signIn: {
    variable: 'LIMIT_SIGN_IN',
    most: 10,
    every: 15 * MINUTE,
    what: 'failed sign-ins for an email from an address, in 15 minutes',
  },
  signInAddress: {
    variable: 'LIMIT_SIGN_IN_ADDRESS',
    most: 100,
    every: 15 * MINUTE,
    what: 'failed sign-ins from an address, whatever the email, in 15 minutes',
  },
  register: {
    variable: 'LIMIT_REGISTER',
    most: 5,
    every: 60 * MINUTE,
    what: 'successful registrations from an address, in an hour',
  },
  track: {
    variable: 'LIMIT_TRACK',
    most: 5,
    every: 15 * MINUTE,
    what: 'wrong contacts for an order, in 15 minutes',
  },
  orderMisses: {
    variable: 'LIMIT_ORDER_MISSES',
    most: 50,
    every: 15 * MINUTE,
    what: 'order lookups that found nothing, from an address, in 15 minutes',
  },
  orders: {
    variable: 'LIMIT_ORDERS',
    most: 2_000,
    every: 60 * MINUTE,
    what: 'orders that a user places, in an hour',
  },
} as const satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof LIMITS;

export type Limits = Readonly<Record<LimitName, Limit>>;

const isLimitName = (name: string): name is LimitName => Object.hasOwn(LIMITS, name);

/** The same for each limit. @param make is given the limit's name and row */
export function forEachLimit<T>(make: (row: LimitRow, name: LimitName) => T): Readonly<Record<LimitName, T>>;
export function forEachLimit<T>(make: (row: LimitRow, name: LimitName) => T): Readonly<Record<string, T>> {
  const names = Object.keys(LIMITS).filter(isLimitName);
  return Object.fromEntries(names.map((name) => [name, make(LIMITS[name], name)]));
}
