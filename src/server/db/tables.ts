import type { Generated, GeneratedAlways } from 'kysely';
import type { ReturnState } from '#domain/order-history.ts';

/** @typeParam Type the type in TypeScript, as Kysely reads it */
interface Column<Type> {
  readonly kind: 'text' | 'whole' | 'bytes';
  readonly isNullable: boolean;
  /** Whether the database fills it if an INSERT leaves it out. */
  readonly isFilled: boolean;
  readonly type?: Type;
}

const column = <T>(kind: Column<T>['kind'], isNullable = false, isFilled = false): Column<T> => ({
  kind,
  isNullable,
  isFilled,
});

const text = column<string>('text');
const whole = column<number>('whole');
const bytes = column<Uint8Array>('bytes');
const oneOf = <T extends string>(): Column<T> => column('text');
const nullable = <T>({ kind }: Column<T>): Column<T | null> => column(kind, true);
const filled = <T>({ kind }: Column<T>): Column<Generated<T>> => column(kind, false, true);
const generated = column<GeneratedAlways<string>>('text', true, true);

/** Whether an INSERT must leave the column out. */
export const isGenerated = (each: Column<unknown>): boolean => each === generated;

export type PaymentState =
  | 'started'
  | 'to_collect'
  | 'failed'
  | 'paid'
  | 'flagged'
  | 'refund_due'
  | 'refunded';

export const DISPUTE_STATES = ['open', 'under_review', 'won', 'lost', 'closed'] as const;

export type DisputeState = (typeof DISPUTE_STATES)[number];

/** All columns by their names in the program, which a test compares. A table comes after those it references. */
export const TABLES = {
  meta: { name: text, value: text },
  products: {
    id: text,
    position: whole,
    discontinued: filled(whole),
    title: text,
    unitPaise: whole,
    dto: text,
    version: filled(whole),
  },
  pictures: { name: text, etag: text, bytes },
  customers: {
    id: text,
    email: text,
    passwordHash: text,
    firstName: text,
    lastName: text,
    createdAt: whole,
    language: nullable(text),
    emailVerified: filled(whole),
    closedAt: nullable(whole),
  },
  sessions: { tokenHash: text, customerId: text, expiresAt: whole },
  customerDevices: { customerId: text, tokenHash: text, lastUsedAt: whole },
  emailChanges: { customerId: text, email: text, oldConfirmed: whole, newConfirmed: whole, expiresAt: whole },
  orders: {
    number: filled(whole),
    prefix: filled(text),
    id: text,
    customerId: text,
    status: whole,
    createdAt: whole,
    totalPaise: whole,
    amounts: text,
    address: text,
    language: nullable(text),
    tracking: nullable(text),
    carrier: nullable(text),
    events: filled(text),
    recipient: generated,
    phone: generated,
    postalCode: generated,
  },
  orderItems: {
    orderNumber: whole,
    position: whole,
    productId: text,
    title: text,
    size: nullable(text),
    color: nullable(text),
    quantity: whole,
    unitPaise: whole,
  },
  orderExtras: { orderNumber: whole, name: text, value: text },
  orderKeys: { customerId: text, key: text, bodyHash: text, answer: text, createdAt: whole },
  returns: {
    id: text,
    orderNumber: whole,
    state: oneOf<ReturnState>(),
    reason: text,
    answer: text,
    lines: text,
    createdAt: whole,
    changedAt: whole,
  },
  payments: {
    reference: text,
    orderNumber: whole,
    provider: text,
    providerId: nullable(text),
    paymentId: nullable(text),
    method: text,
    amountPaise: whole,
    currency: text,
    receivedPaise: nullable(whole),
    receivedCurrency: nullable(text),
    words: filled(text),
    state: oneOf<PaymentState>(),
    events: filled(text),
    started: nullable(text),
    returnOrigin: text,
    createdAt: whole,
    changedAt: whole,
    nextPollAt: nullable(whole),
    polledAt: nullable(whole),
    polls: filled(whole),
  },
  paymentsResolved: { reference: text, at: whole, who: text, note: text },
  refunds: {
    key: text,
    reference: text,
    paise: whole,
    reason: text,
    who: text,
    state: oneOf<'refunding' | 'refunded' | 'refund_failed'>(),
    words: text,
    byHand: whole,
    createdAt: whole,
    changedAt: whole,
    nextPollAt: nullable(whole),
    polls: whole,
    noted: filled(whole),
    returnId: nullable(text),
  },
  disputes: {
    id: text,
    reference: text,
    paise: whole,
    state: oneOf<DisputeState>(),
    reason: text,
    respondBy: nullable(whole),
    noted: whole,
    createdAt: whole,
    changedAt: whole,
  },
  emails: {
    id: text,
    kind: text,
    about: text,
    details: text,
    toStaff: filled(whole),
    urgent: filled(whole),
    state: oneOf<'waiting' | 'sent' | 'failed' | 'dropped'>(),
    address: text,
    mailbox: filled(text),
    failure: text,
    tries: whole,
    createdAt: whole,
    changedAt: whole,
    nextTryAt: nullable(whole),
  },
  oneTimeTokens: { tokenHash: text, purpose: text, about: text, expiresAt: whole },
  staff: { id: text, email: text, name: text, role: text, passwordHash: nullable(text), createdAt: whole },
  staffSessions: { tokenHash: text, staffId: text, expiresAt: whole },
  staffDevices: { staffId: text, tokenHash: text, lastUsedAt: whole },
  staffSecondFactors: { staffId: text, secret: text, lastPeriod: whole },
  staffRecoveryCodes: { staffId: text, codeHash: text },
  adminForms: { formKey: text, staffId: text, location: text, message: text, usedAt: whole, formHash: text },
  adminLog: {
    number: filled(whole),
    at: whole,
    staffId: nullable(text),
    who: text,
    action: text,
    targetType: text,
    targetId: text,
    fromJson: nullable(text),
    toJson: nullable(text),
  },
} as const;

type TypeOf<C> = C extends Column<infer Type> ? Type : never;

/** The types of all columns, for the query builder. */
export type Tables = {
  [T in keyof typeof TABLES]: { [C in keyof (typeof TABLES)[T]]: TypeOf<(typeof TABLES)[T][C]> };
};
