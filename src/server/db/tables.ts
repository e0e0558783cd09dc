import type { Generated, GeneratedAlways } from 'kysely';
import type { Paise } from '#domain/money.ts';
import type { ReturnState } from '#domain/order-history.ts';
import type { ReturnEnding } from '#domain/order-returns.ts';

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

/** A column that the database computes from others of its row. It is never written. */
const computed = <T extends string | number>(kind: Kind, expression: string) =>
  column<GeneratedAlways<T>>(kind, `NOT NULL ${COMPUTED} (${expression}) STORED`);

export const COMPUTED = 'GENERATED ALWAYS AS';

/** `done`: its money came. `failed` may still become `done`, because a success may arrive late. */
export type AttemptState = 'open' | 'failed' | 'done';

/** The states of a payment and a refund, then those of a dispute. Only `done` and `lost` count. */
export type MovementState = 'requested' | 'done' | 'failed' | 'open' | 'answered' | 'won' | 'lost';

export type MovementKind = 'payment' | 'refund' | 'dispute';

/** What is owed became less, or the shop keeps a part of what an ended order paid. The name is what the customer reads. */
export type AdjustmentKind = 'lowered' | 'written_off' | 'refund' | 'offer' | 'dispute' | 'kept';

/*
 * What an order's money amounts to. The database computes it, so that every page, file and filter has the same answer. From
 * status 4 on an order has ended: nothing is owed but what the shop keeps.
 */
const atLeast0 = (paise: string): string => `CASE WHEN ${paise} > 0 THEN ${paise} ELSE 0 END`;
const HELD = atLeast0('received_paise - returned_paise');
const OWED = `CASE WHEN status >= 4 THEN ${atLeast0('kept_paise')} ELSE ${atLeast0('total_paise - adjusted_paise')} END`;
const TO_REFUND = atLeast0(`(${HELD}) - (${OWED}) - refunding_paise - disputed_paise`);
const TO_PAY = `CASE WHEN status >= 4 THEN 0 ELSE ${atLeast0(`(${OWED}) - (${HELD})`)} END`;

/** The first that holds is the word for an order's money. */
export const MONEY_STATUSES = {
  wrong_amount: 'needs_review > 0',
  disputed: 'disputed_paise > 0',
  refund_due: `(${TO_REFUND}) > 0`,
  to_collect: `(${TO_PAY}) > 0 AND paid_at_door = 1`,
  partly_paid: `(${TO_PAY}) > 0 AND (${HELD}) > 0`,
  unpaid: `(${TO_PAY}) > 0`,
  refunding: 'refunding_paise > 0',
  refunded: `returned_paise > 0 AND (${HELD}) = 0`,
  partly_refunded: 'returned_paise > 0 AND adjusted_paise > 0',
  paid: `(${HELD}) > 0`,
  nothing: '1 = 1',
} as const;

export type MoneyStatus = keyof typeof MONEY_STATUSES;

const MONEY = Object.entries(MONEY_STATUSES).map(([word, holds]) => `WHEN ${holds} THEN '${word}'`);

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
  /** `size` is '' for pieces of a product that are not counted by size. A product without a row is not counted. */
  stock: {
    productId: text('REFERENCES products (id)'),
    size: text(),
    pieces: whole('CHECK (pieces >= 0)'),
    // The staff have a task where no more are left.
    low: nullable(whole()),
    // The download of the price file that last changed it, and the pieces that it had then.
    download: filled(text(), "''"),
    downloadPieces: nullable(whole()),
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
   * `amounts` and `address` are JSON. `events` are JSON objects, each followed by a comma. The last four are parts of
   * the address in the form that the admin searches (`addressColumns`).
   */
  orders: {
    number: counter(),
    prefix: filled(text(), "''"),
    suffix: text(),
    id: text('UNIQUE'),
    /** null for an order that the staff took for somebody without an account. Its email is then its own, if it has one. */
    customerId: column<string | null>('text', 'REFERENCES customers (id)'),
    contactEmail: nullable(text()),
    status: whole(),
    createdAt: whole(),
    totalPaise: paise('CHECK (total_paise >= 0)'),
    /** 1 if the shopper chose cash on delivery. It says nothing about whether it came. */
    paidAtDoor: filled(whole(), '0'),
    /** The sums of its movements and adjustments (`ledger/book.ts`), and how many payments are to review. */
    receivedPaise: filled(paise(), '0'),
    returnedPaise: filled(paise(), '0'),
    refundingPaise: filled(paise(), '0'),
    disputedPaise: filled(paise(), '0'),
    adjustedPaise: filled(paise(), '0'),
    keptPaise: filled(paise(), '0'),
    needsReview: filled(whole(), '0'),
    heldPaise: computed<Paise>('whole', HELD),
    owedPaise: computed<Paise>('whole', OWED),
    toRefundPaise: computed<Paise>('whole', TO_REFUND),
    toPayPaise: computed<Paise>('whole', TO_PAY),
    money: computed<MoneyStatus>('text', `CASE ${MONEY.join(' ')} END`),
    amounts: text(),
    address: text(),
    language: nullable(text()),
    /** 1 if the order must not be packed until the email is confirmed or the staff have called. */
    toConfirm: filled(whole(), '0'),
    /** Of the GST invoice that the staff made elsewhere. */
    invoiceNumber: nullable(text()),
    invoicedOn: nullable(text()),
    /** When its slip was first shown, while the order was open: since then its parcel may be packed. */
    printedAt: nullable(whole()),
    /** Those of the newest parcel. */
    tracking: nullable(text()),
    carrier: nullable(text()),
    /** The parcels that left before the last one, as JSON objects, each followed by a comma. */
    parcels: filled(text(), "''"),
    events: filled(text(), "''"),
    recipient: text(),
    phone: text(),
    postalCode: text(),
    addressKey: filled(text(), "''"),
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
  /** What an order took from the stock, and how much of it was given back. */
  heldStock: {
    orderNumber: whole('REFERENCES orders (number)'),
    productId: text('REFERENCES products (id)'),
    size: text(),
    pieces: whole(),
    givenBack: filled(whole('CHECK (given_back >= 0 AND given_back <= pieces)'), '0'),
  },
  /** The names are those of ORDER_EXTRAS. */
  orderExtras: { orderNumber: whole('REFERENCES orders (number)'), name: text(), value: text() },
  /** What the staff note about an order, or about a customer. */
  staffNotes: {
    id: text('PRIMARY KEY'),
    orderNumber: nullable(whole()),
    customerId: nullable(text()),
    body: text(),
    /** 1 if packers read it, too. */
    forPacking: whole(),
    who: text(),
    createdAt: whole(),
  },
  /**
   * From whom the shop takes no cash, or no orders. `key` is a mailbox, a phone or an address as `same-customer.ts` of the
   * domain compares them; only its hash once the account is deleted.
   */
  blocks: {
    id: text('PRIMARY KEY'),
    kind: oneOf<'account' | 'phone' | 'address'>(),
    key: text(),
    scope: oneOf<'cash' | 'orders'>(),
    reason: text(),
    customerId: nullable(text()),
    who: text(),
    createdAt: whole(),
    endsAt: whole(),
  },
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
    state: oneOf<ReturnState | ReturnEnding>(),
    reason: text(),
    answer: text(),
    /** The parcel that replaces the goods. */
    carrier: nullable(text()),
    tracking: nullable(text()),
    lines: text(),
    createdAt: whole(),
    changedAt: whole(),
  },
  /** A try at a provider. `providerMessage` is the provider's last one, `started` the next step of the payment page as JSON. */
  paymentAttempts: {
    reference: text('PRIMARY KEY'),
    orderNumber: whole('REFERENCES orders (number)'),
    provider: text(),
    providerId: nullable(text()),
    paymentId: nullable(text()),
    bankReference: nullable(text()),
    method: text(),
    amountPaise: paise(),
    currency: text(),
    state: oneOf<AttemptState>(),
    providerMessage: filled(text(), "''"),
    started: nullable(text()),
    returnOrigin: text(),
    createdAt: whole(),
    changedAt: whole(),
    nextPollAt: nullable(whole()),
    polledAt: nullable(whole()),
  },
  /**
   * A row for each movement of money. Once it is done it never changes, but for `needsReview`, `note` and `answerBy`: a row of
   * its own names in `reverses` what it undoes. `attempt` is null for what staff book. `happenedOn` is a day in India.
   */
  movements: {
    id: text('PRIMARY KEY'),
    orderNumber: whole('REFERENCES orders (number)'),
    attempt: nullable(text()),
    direction: oneOf<'in' | 'out'>(),
    kind: oneOf<MovementKind>(),
    way: text(),
    paise: paise('CHECK (paise >= 0)'),
    state: oneOf<MovementState>(),
    happenedOn: text(),
    recordedAt: whole(),
    /** When it reached its state. */
    changedAt: whole(),
    recordedBy: text(),
    externalId: nullable(text()),
    refundOf: nullable(text()),
    retryOf: nullable(text()),
    reverses: nullable(text()),
    returnId: nullable(text()),
    note: filled(text(), "''"),
    providerMessage: filled(text(), "''"),
    answerBy: nullable(whole()),
    needsReview: filled(whole(), '0'),
  },
  /** `movement` is the one because of which less is owed. `lines` is JSON: which pieces, [] for an amount. */
  adjustments: {
    id: text('PRIMARY KEY'),
    orderNumber: whole('REFERENCES orders (number)'),
    kind: oneOf<AdjustmentKind>(),
    paise: paise(),
    reason: text(),
    lines: filled(text(), "'[]'"),
    movement: nullable(text()),
    happenedOn: text(),
    recordedAt: whole(),
    recordedBy: text(),
    reverses: nullable(text()),
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
  /**
   * The orders of a batch, fixed when it is made. `reason` says why one was skipped. `unpaid` is 1 once an owner has said to ship
   * it though it is not paid.
   */
  batchOrders: {
    batchId: text('REFERENCES batches (id) ON DELETE CASCADE'),
    orderNumber: whole(),
    state: oneOf<'waiting' | 'done' | 'skipped'>(),
    reason: filled(text(), "''"),
    tracking: filled(text(), "''"),
    carrier: filled(text(), "''"),
    unpaid: filled(whole(), '0'),
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
    /** What the staff member is emailed about and how soon, as JSON, and when that was last. */
    notifications: filled(text(), "'{}'"),
    notifiedAt: filled(whole(), '0'),
  },
  /** News for a staff member that no email has yet (`staff/notifications.ts`). */
  notifications: {
    staffId: ofStaff(),
    topic: text(),
    subjectId: text(),
    isUrgent: whole(),
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
  stock: 'product_id, size',
  heldStock: 'order_number, product_id, size',
  devices: 'account_id, token_hash',
  orderItems: 'order_number, position',
  orderExtras: 'order_number, name',
  orderKeys: 'customer_id, key',
  notifications: 'staff_id, topic, subject_id',
  staffRecoveryCodes: 'staff_id, code_hash',
  adminForms: 'staff_id, form_key',
};

/** Tables of small rows that are found by their primary key. */
export const KEYED: ReadonlySet<string> = new Set<TableName>([
  'meta',
  'stock',
  'heldStock',
  'orderItems',
  'orderExtras',
  'orderKeys',
  'batchOrders',
  'paymentAttempts',
  'movements',
  'adjustments',
  'tokens',
  'adminForms',
]);

export const INDEXES = [
  'INDEX stock_few ON stock (pieces) WHERE pieces <= 5',
  'INDEX customers_closed ON customers (closed_at) WHERE closed_at IS NOT NULL',
  'INDEX orders_by_customer ON orders (customer_id, number)',
  'INDEX orders_by_recipient ON orders (recipient, phone, postal_code)',
  'INDEX orders_by_status ON orders (status, number)',
  'INDEX orders_to_confirm ON orders (number) WHERE to_confirm = 1',
  'INDEX orders_by_tracking ON orders (tracking) WHERE tracking IS NOT NULL',
  'INDEX order_extras_by_name ON order_extras (name, order_number)',
  'INDEX orders_by_time ON orders (created_at)',
  'INDEX orders_by_phone ON orders (phone, number)',
  'INDEX orders_by_contact_email ON orders (contact_email) WHERE contact_email IS NOT NULL',
  'INDEX orders_by_address ON orders (address_key, number)',
  'INDEX staff_notes_by_order ON staff_notes (order_number, created_at)',
  'INDEX staff_notes_by_customer ON staff_notes (customer_id, created_at)',
  'INDEX blocks_by_key ON blocks (key, ends_at)',
  'INDEX blocks_by_customer ON blocks (customer_id, ends_at)',
  'INDEX blocks_by_end ON blocks (ends_at)',
  'INDEX order_keys_by_time ON order_keys (created_at)',
  'INDEX returns_by_order ON returns (order_number)',
  "INDEX returns_open ON returns (changed_at) WHERE state IN ('asked', 'accepted', 'received')",
  'INDEX batches_by_time ON batches (created_at)',
  'INDEX batches_to_run ON batches (claimed_until) WHERE started_at IS NOT NULL AND ended_at IS NULL',
  'INDEX orders_by_money ON orders (money, number)',
  'INDEX attempts_by_order ON payment_attempts (order_number)',
  'INDEX attempts_to_poll ON payment_attempts (next_poll_at) WHERE next_poll_at IS NOT NULL',
  'INDEX attempts_by_poll ON payment_attempts ((coalesce(polled_at, created_at)))',
  'INDEX attempts_by_provider_id ON payment_attempts (provider_id) WHERE provider_id IS NOT NULL',
  'INDEX attempts_by_payment_id ON payment_attempts (payment_id) WHERE payment_id IS NOT NULL',
  'INDEX attempts_by_bank_reference ON payment_attempts (bank_reference) WHERE bank_reference IS NOT NULL',
  'INDEX movements_by_order ON movements (order_number)',
  'INDEX movements_by_day ON movements (happened_on)',
  'INDEX movements_by_external_id ON movements (external_id) WHERE external_id IS NOT NULL',
  `UNIQUE INDEX one_report ON movements (way, external_id, kind)
    WHERE external_id IS NOT NULL AND attempt IS NOT NULL`,
  'INDEX movements_by_return ON movements (return_id) WHERE return_id IS NOT NULL',
  'UNIQUE INDEX one_reversal ON movements (reverses) WHERE reverses IS NOT NULL',
  'INDEX movements_to_review ON movements (changed_at) WHERE needs_review = 1',
  "INDEX movements_requested ON movements (recorded_at) WHERE state = 'requested'",
  'INDEX adjustments_by_order ON adjustments (order_number)',
  'INDEX adjustments_by_day ON adjustments (happened_on)',
  'UNIQUE INDEX one_reversed_adjustment ON adjustments (reverses) WHERE reverses IS NOT NULL',
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
