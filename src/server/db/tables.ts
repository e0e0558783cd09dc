import type { Generated } from 'kysely';
import type { Paise } from '#domain/money.ts';
import type { ReturnState } from '#domain/order-history.ts';

/** A text, a whole number up to 2^53, bytes, or a primary key that counts the rows. */
export type Kind = 'text' | 'whole' | 'bytes' | 'counter';

/** @typeParam Type the type in TypeScript, as Kysely reads it */
export interface Column<Type> {
  readonly kind: Kind;
  /** The SQL after the type of the column. */
  readonly constraints: string;
  readonly type?: Type;
}

const column = <T>(kind: Kind, constraints = ''): Column<T> => ({ kind, constraints });

const text = (constraints = '') => column<string>('text', `NOT NULL ${constraints}`);
const whole = (constraints = '') => column<number>('whole', `NOT NULL ${constraints}`);
const paise = (constraints = '') => column<Paise>('whole', `NOT NULL ${constraints}`);
const bytes = () => column<Uint8Array>('bytes', 'NOT NULL');
const oneOf = <T extends string>() => column<T>('text', 'NOT NULL');
const nullable = <T>({ kind }: Column<T>) => column<T | null>(kind);
const filled = <T>({ kind, constraints }: Column<T>, value: string) =>
  column<Generated<T>>(kind, `${constraints} DEFAULT ${value}`);
const counter = () => column<Generated<number>>('counter');

export const PAYMENT_STATES = [
  'started',
  'to_collect',
  'failed',
  'paid',
  'flagged',
  'refund_due',
  'refunded',
] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/** States from `disputed` on belong to a chargeback. */
export type RefundState =
  | 'refunding'
  | 'refunded'
  | 'refund_failed'
  | 'disputed'
  | 'under_review'
  | 'won'
  | 'lost'
  | 'closed';

const ofStaff = (constraints = '') => text(`${constraints} REFERENCES staff (id) ON DELETE CASCADE`);

/**
 * All columns by their names in the program, from which the first migration makes the database. A table comes after
 * those it references.
 */
export const TABLES = {
  meta: { name: text('PRIMARY KEY'), value: text() },
  products: {
    id: text('PRIMARY KEY'),
    position: whole(),
    discontinued: filled(whole('CHECK (discontinued IN (0, 1))'), '0'),
    dto: text(),
  },
  pictures: { name: text('PRIMARY KEY'), etag: text(), bytes: bytes() },
  /** The row of a deleted account stays for its orders, without personal data. */
  customers: {
    id: text('PRIMARY KEY'),
    email: text('UNIQUE'),
    passwordHash: text(),
    firstName: text(),
    lastName: text(),
    createdAt: whole(),
    language: nullable(text()),
    emailVerified: filled(whole(), '0'),
    closedAt: nullable(whole()),
  },
  /** The flags are 1 once that address has confirmed the change. */
  emailChanges: {
    customerId: text('PRIMARY KEY REFERENCES customers (id) ON DELETE CASCADE'),
    email: text(),
    oldConfirmed: whole(),
    newConfirmed: whole(),
    expiresAt: whole(),
  },
  /**
   * `amounts` and `address` are JSON. `events` are JSON objects, each followed by a comma. The last three are parts of
   * the address in the form that the admin searches (`addressColumns`).
   */
  orders: {
    number: counter(),
    prefix: filled(text(), "''"),
    suffix: text(),
    id: text('UNIQUE'),
    customerId: text('REFERENCES customers (id)'),
    status: whole(),
    createdAt: whole(),
    totalPaise: paise('CHECK (total_paise >= 0)'),
    amounts: text(),
    address: text(),
    language: nullable(text()),
    /** 1 if the order must not be packed until the email is confirmed or the staff have called. */
    toConfirm: filled(whole(), '0'),
    tracking: nullable(text()),
    carrier: nullable(text()),
    events: filled(text(), "''"),
    recipient: text(),
    phone: text(),
    postalCode: text(),
  },
  orderItems: {
    orderNumber: whole('REFERENCES orders (number)'),
    position: whole(),
    productId: text('REFERENCES products (id)'),
    title: text(),
    size: nullable(text()),
    color: nullable(text()),
    quantity: whole(),
    unitPaise: paise('CHECK (unit_paise > 0)'),
  },
  /** The names are those of ORDER_EXTRAS. */
  orderExtras: { orderNumber: whole('REFERENCES orders (number)'), name: text(), value: text() },
  orderKeys: {
    customerId: text('REFERENCES customers (id)'),
    key: text(),
    bodyHash: text(),
    answer: text(),
    createdAt: whole(),
  },
  returns: {
    id: text('PRIMARY KEY'),
    orderNumber: whole('REFERENCES orders (number)'),
    state: oneOf<ReturnState>(),
    reason: text(),
    answer: text(),
    lines: text(),
    createdAt: whole(),
    changedAt: whole(),
  },
  payments: {
    reference: text('PRIMARY KEY'),
    orderNumber: whole('REFERENCES orders (number)'),
    provider: text(),
    providerId: nullable(text()),
    paymentId: nullable(text()),
    method: text(),
    amountPaise: paise(),
    currency: text(),
    receivedPaise: nullable(paise()),
    receivedCurrency: nullable(text()),
    words: filled(text(), "''"),
    state: oneOf<PaymentState>(),
    events: filled(text(), "''"),
    started: nullable(text()),
    returnOrigin: text(),
    createdAt: whole(),
    changedAt: whole(),
    nextPollAt: nullable(whole()),
    polledAt: nullable(whole()),
    resolvedAt: nullable(whole()),
    resolvedBy: nullable(text()),
    note: nullable(text()),
  },
  refunds: {
    key: text('PRIMARY KEY'),
    reference: text('REFERENCES payments (reference)'),
    paise: paise(),
    reason: text(),
    who: text(),
    state: oneOf<RefundState>(),
    words: text(),
    byHand: filled(whole(), '0'),
    requested: filled(whole(), '0'),
    createdAt: whole(),
    changedAt: whole(),
    noted: filled(whole(), '1'),
    returnId: nullable(text()),
    respondBy: nullable(whole()),
  },
  /**
   * An action of the staff on many orders (`fulfilment/batches`). It runs from `startedAt` to `endedAt`, in the process
   * `claimedBy`. `problems` is JSON: the lines of a carrier's file that name no order.
   */
  batches: {
    id: text('PRIMARY KEY'),
    action: text(),
    staffId: text(),
    who: text(),
    problems: filled(text(), "'[]'"),
    createdAt: whole(),
    startedAt: nullable(whole()),
    endedAt: nullable(whole()),
    claimedBy: filled(text(), "''"),
    claimedUntil: filled(whole(), '0'),
  },
  /** The orders of a batch, fixed when it is made. `reason` says why one was left out. */
  batchOrders: {
    batchId: text('REFERENCES batches (id) ON DELETE CASCADE'),
    orderNumber: whole(),
    state: oneOf<'waiting' | 'done' | 'left'>(),
    reason: filled(text(), "''"),
    tracking: filled(text(), "''"),
    carrier: filled(text(), "''"),
  },
  /** An email is rendered when it is sent, so a queued one only names what it is about. */
  emails: {
    id: text('PRIMARY KEY'),
    kind: text(),
    subjectId: text(),
    details: text(),
    toStaff: filled(whole(), '0'),
    urgent: filled(whole(), '0'),
    state: oneOf<'waiting' | 'sent' | 'failed' | 'dropped'>(),
    address: filled(text(), "''"),
    mailbox: filled(text(), "''"),
    failure: filled(text(), "''"),
    tries: filled(whole(), '0'),
    createdAt: whole(),
    changedAt: whole(),
    nextTryAt: nullable(whole()),
  },
  tokens: { tokenHash: text('PRIMARY KEY'), purpose: text(), subjectId: text(), expiresAt: whole() },
  /** `accountId` is that of a customer or a staff member. */
  devices: { accountId: text(), tokenHash: text(), lastUsedAt: whole() },
  staff: {
    id: text('PRIMARY KEY'),
    email: text('UNIQUE'),
    name: text(),
    role: text(),
    passwordHash: nullable(text()),
    createdAt: whole(),
  },
  staffSecondFactors: { staffId: ofStaff('PRIMARY KEY'), secret: text(), lastPeriod: whole() },
  staffRecoveryCodes: { staffId: ofStaff(), codeHash: text() },
  /** `formHash` is a hash of the form's content, to detect other content under the same key. */
  adminForms: {
    formKey: text(),
    staffId: text(),
    location: text(),
    message: text(),
    usedAt: whole(),
    formHash: text(),
  },
  adminLog: {
    number: counter(),
    at: whole(),
    staffId: nullable(text()),
    who: text(),
    action: text(),
    targetType: text(),
    targetId: text(),
    fromJson: nullable(text()),
    toJson: nullable(text()),
  },
} as const;

type TypeOf<C> = C extends Column<infer Type> ? Type : never;

/** The types of all columns, for the query builder. */
export type Tables = {
  [T in keyof typeof TABLES]: { [C in keyof (typeof TABLES)[T]]: TypeOf<(typeof TABLES)[T][C]> };
};

type TableName = keyof typeof TABLES;

/** The primary keys of several columns. */
export const KEYS: Readonly<Partial<Record<TableName, string>>> = {
  batchOrders: 'batch_id, order_number',
  devices: 'account_id, token_hash',
  orderItems: 'order_number, position',
  orderExtras: 'order_number, name',
  orderKeys: 'customer_id, key',
  staffRecoveryCodes: 'staff_id, code_hash',
  adminForms: 'staff_id, form_key',
};

/** Tables of small rows that are found by their primary key. */
export const KEYED: ReadonlySet<string> = new Set<TableName>([
  'meta',
  'orderItems',
  'orderExtras',
  'orderKeys',
  'batchOrders',
  'payments',
  'tokens',
  'adminForms',
]);

export const INDEXES = [
  'INDEX customers_closed ON customers (closed_at) WHERE closed_at IS NOT NULL',
  'INDEX orders_by_customer ON orders (customer_id, number)',
  'INDEX orders_by_recipient ON orders (recipient, phone, postal_code)',
  'INDEX orders_by_status ON orders (status, number)',
  'INDEX orders_to_confirm ON orders (number) WHERE to_confirm = 1',
  'INDEX orders_by_time ON orders (created_at)',
  'INDEX orders_by_phone ON orders (phone, number)',
  'INDEX order_keys_by_time ON order_keys (created_at)',
  'INDEX returns_by_order ON returns (order_number)',
  "INDEX returns_open ON returns (changed_at) WHERE state NOT IN ('refused', 'refunded')",
  'INDEX payments_by_order ON payments (order_number)',
  "UNIQUE INDEX one_capture_an_order ON payments (order_number) WHERE state = 'paid'",
  "INDEX payments_needing_attention ON payments (changed_at) WHERE state IN ('flagged', 'refund_due')",
  "INDEX payments_to_collect ON payments (order_number) WHERE state = 'to_collect'",
  'INDEX payments_to_poll ON payments (next_poll_at) WHERE next_poll_at IS NOT NULL',
  'INDEX payments_by_provider_id ON payments (provider_id) WHERE provider_id IS NOT NULL',
  'INDEX payments_by_payment_id ON payments (payment_id) WHERE payment_id IS NOT NULL',
  'INDEX refunds_by_payment ON refunds (reference)',
  'INDEX refunds_to_note ON refunds (reference) WHERE noted = 0',
  'INDEX batches_by_time ON batches (created_at)',
  'INDEX batches_to_run ON batches (claimed_until) WHERE started_at IS NOT NULL AND ended_at IS NULL',
  'INDEX batch_orders_by_state ON batch_orders (batch_id, state, order_number)',
  'INDEX emails_to_send ON emails (urgent, created_at, next_try_at) WHERE next_try_at IS NOT NULL',
  'INDEX emails_by_state ON emails (state, changed_at)',
  'INDEX emails_by_address ON emails (address, changed_at)',
  'INDEX emails_by_mailbox ON emails (mailbox, changed_at)',
  'INDEX tokens_by_subject ON tokens (purpose, subject_id)',
  'INDEX tokens_by_expiry ON tokens (expires_at)',
  'INDEX devices_by_token ON devices (token_hash)',
  'INDEX devices_by_time ON devices (last_used_at)',
  'INDEX admin_forms_by_time ON admin_forms (used_at)',
  'INDEX admin_log_by_target ON admin_log (target_type, target_id, number)',
  'INDEX admin_log_by_who ON admin_log (who, number)',
];
