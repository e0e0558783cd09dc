import { DAY, HOUR, MINUTE } from '#server/process/clock.ts';

/*
 * What is scarce in the server, and whose share of it is how large. Whatever a stranger makes for free, such as accounts,
 * aliases, sessions or payments, also pays from the share of its line and of its network (`http/caller.ts`).
 */

/**
 * A network may do this many times as much as one of its lines. Mobile providers have many addresses side by side; an
 * attacker may rent a whole network. No larger one is counted: it belongs to a provider, with all of its customers.
 */
export const NETWORK_FACTOR = 4;

/**
 * Each line keeps this part of its share, so that four lines do not close the shop for the 252 others of their network. Who
 * has all of them has twice as much by this.
 */
export const KEPT_PART = 64;

/** The payers of a share, besides line and network. Shares of at most ten hold for any stretch of `every`. */
export interface Count {
  /** In ms. A longer share's window begins with its first request. */
  readonly every: number;
  /** Thousands share a line in India's mobile networks. */
  readonly line: number;
  /** Of a signed-in customer. */
  readonly account?: number;
  /** Of an exact email, where each request sends it an email that is of use to its owner alone. */
  readonly email?: number;
  /** Guesses of one line about one target, so that nobody locks out its owner from elsewhere. */
  readonly guess?: number;
  /** Guesses of all lines about one target. Too low, a few lines lock its owner out. */
  readonly target?: number;
}

/** The rates. The comment says whom a share is there for; when it is too low, its payer waits for the end of `every`. */
export const COUNTS = {
  // Wrong passwords on devices that the account does not know: for the customer. The line protects all customers.
  password: { every: 15 * MINUTE, line: 1_000, guess: 10 },
  passwordDay: { every: DAY, line: 10_000, guess: 50, target: 1_000 },
  // Wrong passwords on a device that the account knows, which others cannot use up.
  devicePassword: { every: 15 * MINUTE, line: 10_000, target: 10 },
  // Right passwords: each costs a hash, and the row of a session.
  signIn: { every: 15 * MINUTE, line: 3_000, account: 30 },
  // Wrong codes of a second factor, after the right password.
  code: { every: 15 * MINUTE, line: 1_000, guess: 5, target: 20 },
  // New accounts, and tries with a taken email.
  registration: { every: HOUR, line: 3_000 },
  // Links for a new password. The five that use the share up work until it is free again.
  // Aliases reach one mailbox, which a line must not fill.
  passwordLink: { every: 30 * MINUTE, line: 500, email: 5, guess: 10 },
  emailChange: { every: HOUR, line: 500, account: 5, guess: 5 },
  // Lookups that found no order. A stranger's do not close the tracking of an order for its customer.
  tracking: { every: 15 * MINUTE, line: 750, guess: 5 },
  // Wrong numbers that are tried with one contact. After a flood of all lines only a session or an id finds an order: 20
  // random bits last for a month.
  contact: { every: HOUR, line: 3_000, guess: 5, target: 1_000 },
  // Messages to the company, without and with an account.
  message: { every: HOUR, line: 20 },
  accountMessage: { every: HOUR, line: 200, account: 5 },
  // Messages that are emails of their own: the others of the hour are one digest.
  loneMessage: { every: HOUR, line: 20, target: 50 },
  // Rows that stay: orders and payments. 2,000 shoppers of a line may order within an hour, beside one who wants none to.
  order: { every: HOUR, line: 2_400, account: 20 },
  payment: { every: HOUR, line: 4_800, account: 60 },
  // Cash orders of accounts that have neither confirmed their email nor received an order. Half of India's orders are cash.
  // Without emails nobody could confirm one, so a line has no share of its own.
  cash: { every: HOUR, line: 200, account: 5 },
  cashWithoutEmails: { every: HOUR, line: 24_000, account: 5 },
  // Polls of a payment provider for the page that waits for a payment.
  poll: { every: MINUTE, line: 240, account: 24 },
  // What takes milliseconds of the only thread: lists of orders, tracked orders, and changes by customers, also refused ones.
  orders: { every: HOUR, line: 24_000, account: 1_200 },
  tracked: { every: HOUR, line: 12_000, guess: 600 },
  change: { every: HOUR, line: 24_000, account: 1_200 },
  personalData: { every: HOUR, line: 300, account: 10 },
} as const satisfies Record<string, Count>;

export type CountName = keyof typeof COUNTS;
/** Those that a signed-in customer spends with each success of a call. */
export type CustomerCount = 'orders' | 'payment' | 'personalData';
export type Counts = Readonly<Record<CountName, Count>>;

/** What takes a place while it runs. */
export interface Lane {
  readonly atOnce: number;
  /**
   * Running and waiting. A network has at most half of them, a line a quarter. If none is free, the latest of the network
   * that has most gives way, so that it takes as many networks as places to keep somebody out.
   */
  readonly places: number;
  /** The most of one account that run. */
  readonly ofAccount?: number;
  /** For how many times as long as its work took the event loop a place stays taken. */
  readonly rests?: number;
}

export const LANES = {
  // Passwords. `hashing.atOnce` of the settings replaces the first row. No stranger's request is in the lanes below it.
  customersHash: { atOnce: 2, places: 52 },
  customersHashOnKnownDevice: { atOnce: 1, places: 24 },
  staffHash: { atOnce: 1, places: 12 },
  staffHashOnKnownDevice: { atOnce: 1, places: 12 },
  // Calls of each payment provider: starts; polls for returns that the provider signed; polls that a stranger may cause.
  // What is due has its own in `payments/reconcile.ts`, refunds apart from polls.
  paymentStart: { atOnce: 6, places: 120 },
  signedReturn: { atOnce: 2, places: 40 },
  strangersPoll: { atOnce: 2, places: 2 },
  // Reads of the event loop: the orders and the data of a customer. All four together take half of it.
  read: { atOnce: 4, places: 400, ofAccount: 2, rests: 7 },
  // Changes by customers. Those of one account lock the same rows, and PostgreSQL has 10 connections for all.
  change: { atOnce: Number.POSITIVE_INFINITY, places: Number.POSITIVE_INFINITY, ofAccount: 3 },
} as const satisfies Record<string, Lane>;

export type LaneName = keyof typeof LANES;

export type HashLane = Extract<LaneName, `${string}Hash${string}`>;

/** Connections: those of all trusted proxies together, those of all others together, of a line, and of a network. */
export const CONNECTIONS = { all: 1_000, line: 100, network: 300 };
