import type { Database } from '#scripts/api/db/database.ts';
import { createAddressLimiter, type Limit, type Limiter } from '#scripts/api/db/limiter.ts';

const MINUTE = 60_000;

interface LimitRow extends Limit {
  /** The environment variable that sets `most`. */
  readonly variable: string;
  /** What is counted, after the words 'How many'. */
  readonly what: string;
  /** Whether its keys are addresses. It then holds for their networks, too. */
  readonly byAddress?: boolean;
}

/** A new limit is a line here and its use: `shop.limiters.{name}`. Orders count their own rows instead. */
export const LIMITS = {
  signIn: {
    variable: 'LIMIT_SIGN_IN',
    most: 10,
    every: 15 * MINUTE,
    sliding: true,
    what: 'wrong passwords for an account from devices it does not know, in any 15 minutes',
  },
  signInDevice: {
    variable: 'LIMIT_SIGN_IN_DEVICE',
    most: 10,
    every: 15 * MINUTE,
    sliding: true,
    what: 'wrong passwords for an account from a device it knows, in any 15 minutes',
  },
  signInAddress: {
    byAddress: true,
    variable: 'LIMIT_SIGN_IN_ADDRESS',
    most: 1_000,
    every: 15 * MINUTE,
    what: 'wrong passwords from an address in 15 minutes, not counting devices that accounts know',
  },
  signInAddressDay: {
    byAddress: true,
    variable: 'LIMIT_SIGN_IN_ADDRESS_DAY',
    most: 10_000,
    every: 24 * 60 * MINUTE,
    what: 'wrong passwords from an address in a day, not counting devices that accounts know',
  },
  signIns: {
    variable: 'LIMIT_SIGN_INS',
    most: 30,
    every: 15 * MINUTE,
    what: 'sign-ins of an account that succeed, in 15 minutes',
  },
  signInCode: {
    variable: 'LIMIT_SIGN_IN_CODE',
    most: 5,
    every: 15 * MINUTE,
    sliding: true,
    what: 'wrong codes of the second factor, for one of the staff, in any 15 minutes',
  },
  register: {
    byAddress: true,
    variable: 'LIMIT_REGISTER',
    most: 3_000,
    every: 60 * MINUTE,
    what: 'registrations from an address, also of an email that is taken, in an hour',
  },
  reset: {
    variable: 'LIMIT_RESET',
    most: 5,
    every: 60 * MINUTE,
    what: 'links to choose a new password that are asked for an email, in an hour',
  },
  resetAddress: {
    byAddress: true,
    variable: 'LIMIT_RESET_ADDRESS',
    most: 1_000,
    every: 60 * MINUTE,
    what: 'links to choose a new password that are asked for from an address, in an hour',
  },
  track: {
    variable: 'LIMIT_TRACK',
    most: 5,
    every: 15 * MINUTE,
    sliding: true,
    what: 'wrong contacts for an order, in any 15 minutes',
  },
  orderMisses: {
    byAddress: true,
    variable: 'LIMIT_ORDER_MISSES',
    most: 3_000,
    every: 60 * MINUTE,
    what: 'order lookups that found nothing, from an address, in an hour',
  },
  personalData: {
    variable: 'LIMIT_PERSONAL_DATA',
    most: 10,
    every: 60 * MINUTE,
    what: 'files of everything about a person, and letters to delete the account, that a user asks for in an hour',
  },
  contact: {
    variable: 'LIMIT_CONTACT',
    most: 5,
    every: 60 * MINUTE,
    what: 'messages of the contact form from an email, in an hour',
  },
  contactAddress: {
    byAddress: true,
    variable: 'LIMIT_CONTACT_ADDRESS',
    most: 1_000,
    every: 60 * MINUTE,
    what: 'messages of the contact form from an address, in an hour',
  },
  orders: {
    variable: 'LIMIT_ORDERS',
    most: 20,
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

/** @param prefix distinguishes the counts of the staff from those of the shop */
export const openLimiters = (
  db: Database,
  limits: Limits,
  prefix = '',
): Readonly<Record<LimitName, Limiter>> =>
  forEachLimit(({ byAddress = false }, name) =>
    byAddress
      ? createAddressLimiter(db.openLimiter, `${prefix}${name}`, limits[name])
      : db.openLimiter(`${prefix}${name}`, limits[name]),
  );
