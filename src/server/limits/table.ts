import { DAY, HOUR, MINUTE } from '#server/process/clock.ts';

/*
 * Rate limits, queues and caps on connections, with the share of each caller. Accounts, aliases, sessions and payments
 * cost a stranger nothing, so what they use also counts towards the line and the network (`http/caller.ts`).
 */

/**
 * The share of a network, as a multiple of a line's. Mobile providers have many adjacent addresses, and an attacker may
 * rent a whole network. Larger networks are not counted: they hold all customers of a provider.
 */
export const NETWORK_FACTOR = 4;

/**
 * When its network's share is used up, a line may still use a 64th of its own. Otherwise four lines could close the
 * shop for the 252 others. An attacker with all 256 lines gets twice the network's share by this.
 */
export const KEPT_PART = 64;

/** The most attempts of each payer per `every`. Shares of up to ten use a sliding window. */
export interface Count {
  /** In ms. The window of a larger share begins with its first request. */
  readonly every: number;
  /** In India's mobile networks thousands of customers share a line. */
  readonly line: number;
  /** Of a signed-in customer. */
  readonly account?: number;
  /** Per exact address, for requests that send it an email which only its owner can use. */
  readonly email?: number;
  /** Guesses per line and target, so that guesses on one line do not lock out the owner on another. */
  readonly guess?: number;
  /** Guesses per target, on all lines together. If it is too low, a few lines can lock out the owner. */
  readonly target?: number;
}

/** The rate limits. A payer whose share is used up waits for the end of `every`. */
export const COUNTS = {
  // Wrong passwords on devices that the account does not know. `guess` protects the customer, `line` all customers.
  password: { every: 15 * MINUTE, line: 1_000, guess: 10 },
  passwordDay: { every: DAY, line: 10_000, guess: 50, target: 1_000 },
  // Wrong passwords on a device that the account knows. Guesses on other devices do not count.
  devicePassword: { every: 15 * MINUTE, line: 10_000, target: 10 },
  // Successful sign-ins: each costs a hash and a session row.
  signIn: { every: 15 * MINUTE, line: 3_000, account: 30 },
  // Wrong codes of a second factor, after the right password.
  code: { every: 15 * MINUTE, line: 1_000, guess: 5, target: 20 },
  // New accounts, and attempts with a taken email.
  registration: { every: HOUR, line: 3_000 },
  // Links for a new password. The five links work as long as the window lasts. `guess` is per mailbox: otherwise a line
  // could fill it through its aliases.
  passwordLink: { every: 30 * MINUTE, line: 500, email: 5, guess: 10 },
  emailChange: { every: HOUR, line: 500, account: 5, guess: 5 },
  // Lookups that found no order. A stranger's lookups do not block the customer's.
  tracking: { every: 15 * MINUTE, line: 750, guess: 5 },
  // Wrong order numbers with one contact. Once `target` is used up, only a session or an id finds the order. At this
  // rate, guessing the 20 random bits of a number takes a month.
  contact: { every: HOUR, line: 3_000, guess: 5, target: 1_000 },
  // Messages to the company, without and with an account.
  message: { every: HOUR, line: 20 },
  accountMessage: { every: HOUR, line: 200, account: 5 },
  // Messages that are sent as single emails. The others of the hour are one digest.
  loneMessage: { every: HOUR, line: 20, target: 50 },
  // Orders and payments, whose rows stay. 2,000 shoppers of a line can order in an hour despite an attacker among them.
  order: { every: HOUR, line: 2_400, account: 20 },
  payment: { every: HOUR, line: 4_800, account: 60 },
  // Cash orders of accounts without a confirmed email or a delivered order. Half of India's orders are paid in cash. In
  // a shop without emails nobody can confirm one, so the share of a line is out of reach.
  cash: { every: HOUR, line: 200, account: 5 },
  cashWithoutEmails: { every: HOUR, line: 24_000, account: 5 },
  // Polls of a payment provider for the page that waits for a payment.
  poll: { every: MINUTE, line: 240, account: 24 },
  // Requests that block the only thread for milliseconds: order lists, tracked orders, changes (also refused ones).
  orders: { every: HOUR, line: 24_000, account: 1_200 },
  tracked: { every: HOUR, line: 12_000, guess: 600 },
  change: { every: HOUR, line: 24_000, account: 1_200 },
  personalData: { every: HOUR, line: 300, account: 10 },
} as const satisfies Record<string, Count>;

export type CountName = keyof typeof COUNTS;
/** The rate limits that count each successful call of a signed-in customer. */
export type CustomerCount = 'orders' | 'payment' | 'personalData';
export type Counts = Readonly<Record<CountName, Count>>;

/** A queue with a limited number of places. */
export interface Lane {
  readonly atOnce: number;
  /**
   * Running and waiting. A network may hold half of them, a line a quarter. When all are taken, the network with the
   * most loses its latest one. To keep a caller out, an attacker needs as many networks as there are places.
   */
  readonly places: number;
  /** How many may run for one account. */
  readonly ofAccount?: number;
  /** How long a place stays taken after its work, as a multiple of the time that the work blocked the event loop. */
  readonly rests?: number;
}

export const LANES = {
  // Passwords. The setting `hashing.atOnce` replaces the first row. Strangers cannot fill known devices' lanes.
  customersHash: { atOnce: 2, places: 52 },
  customersHashOnKnownDevice: { atOnce: 1, places: 24 },
  staffHash: { atOnce: 1, places: 12 },
  staffHashOnKnownDevice: { atOnce: 1, places: 12 },
  // Calls to each payment provider: starts, polls after a signed return, polls that a stranger can cause. Due polls and
  // refunds have their own queues in `payments/reconcile.ts`.
  paymentStart: { atOnce: 6, places: 120 },
  signedReturn: { atOnce: 2, places: 40 },
  strangersPoll: { atOnce: 2, places: 2 },
  // Reads that block the event loop: a customer's orders and data. All four together use half of its time.
  read: { atOnce: 4, places: 400, ofAccount: 2, rests: 7 },
  // Changes by customers. Those of one account lock the same rows, and must not fill PostgreSQL's 10 connections.
  change: { atOnce: Number.POSITIVE_INFINITY, places: Number.POSITIVE_INFINITY, ofAccount: 3 },
} as const satisfies Record<string, Lane>;

export type LaneName = keyof typeof LANES;

export type HashLane = Extract<LaneName, `${string}Hash${string}`>;

/** The most connections. `all` is for all trusted proxies together, and again for all other callers together. */
export const CONNECTIONS = { all: 1_000, line: 100, network: 300 };
