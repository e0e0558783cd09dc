import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import type { Paise } from '#domain/money.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { appendedTo, json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { literals, prepared, q, type RowOf } from '#server/db/query.ts';
import { PAYMENT_STATES, type PaymentState, type RefundState } from '#server/db/tables.ts';
import { SHOWN_NUMBER, type StoredOrder } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import { nextPoll } from './polling.ts';
import { PaymentResponseSchema, type Started } from './schema.ts';

/** The reference of a payment, or the key of a refund. UPI allows at most 35 letters and digits. */
export const randomReference = (): string => `FF${randomBytes(15).toString('hex').toUpperCase()}`;

/** `paid` is `disputed` while a bank may take the money back, and `partially_refunded` once a part of it went back. */
export type MoneyState = PaymentState | 'disputed' | 'partially_refunded';

const hasRefund = (...states: readonly RefundState[]) =>
  sql<boolean>`EXISTS (SELECT 1 FROM refunds WHERE refunds.reference = payments.reference
    AND refunds.state IN (${sql.join(literals(...states))}))`;

/** The state in the database. */
export const storedState = (state: MoneyState): PaymentState =>
  state === 'disputed' || state === 'partially_refunded' ? 'paid' : state;

/** What every page, file and slip says of a payment. A bank that takes a part back refunds it. */
export const MONEY_STATE = sql<MoneyState>`CASE WHEN payments.state <> 'paid' THEN payments.state
  WHEN ${hasRefund('disputed', 'under_review')} THEN 'disputed'
  WHEN ${hasRefund('refunded', 'lost')} THEN 'partially_refunded' ELSE 'paid' END`;

/**
 * `reference` is our id of it, `providerId` the provider's, null until it was started. `paymentId` is the provider's id of
 * the money, which refunds and disputes name; null until it came. `receivedPaise` is what came; null if nothing did yet,
 * or it cannot be read. `words` is the provider's last message, or ''. `started` is the next step of the payment page;
 * null until the provider has started the payment. `returnOrigin` is the site on which the shopper pays. `note` says how
 * the staff resolved a wrong amount.
 */
const PAYMENT = q
  .selectFrom('payments')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .select(['payments.reference', 'orderNumber', 'provider', 'providerId', 'paymentId', 'method'])
  .select(['payments.amountPaise', 'payments.currency', 'state', 'payments.events', 'started'])
  .select(['receivedPaise', 'receivedCurrency', 'words', 'returnOrigin', 'payments.createdAt', 'changedAt'])
  .select('nextPollAt')
  .select(['resolvedAt', 'resolvedBy', 'note', 'orders.id as orderId', 'orders.status as orderStatus'])
  .select(['customerId', 'language'])
  .select([SHOWN_NUMBER, MONEY_STATE.as('moneyState')]);

const PAYMENT_JSON = {
  started: v.nullable(json(v.pick(PaymentResponseSchema, ['action', 'redirectUrl']))),
  /** When it reached each state after its first. */
  events: appendedTo(v.object({ state: v.picklist(PAYMENT_STATES), at: v.number() })),
};

/** A try to pay an order. An order may have several. */
export type Payment = RowOf<typeof PAYMENT, typeof PAYMENT_JSON>;

export const findPayment = (db: Reader, reference: string): Promise<Payment | undefined> =>
  db.row(PAYMENT.where('payments.reference', '=', reference), PAYMENT_JSON);

const LOCK = q.selectFrom('payments').select('reference').orderBy('reference').forNoKeyUpdate();

/**
 * Locks the payment until the transaction ends. It is read afterwards: PostgreSQL would join the row of its order as it
 * was before the wait for the lock.
 */
export async function lockPayment(transaction: Transaction, reference: string): Promise<Payment | undefined> {
  await transaction.rows(LOCK.where('reference', '=', reference));
  return findPayment(transaction, reference);
}

/** Oldest first. */
export const paymentsOf = (db: Reader, orderNumber: number): Promise<Payment[]> =>
  db.rows(
    PAYMENT.where('orderNumber', '=', orderNumber)
      .orderBy('payments.createdAt')
      .orderBy('payments.reference'),
    PAYMENT_JSON,
  );

/** The payments of an order, locked until the transaction ends. */
export async function lockPaymentsOf(transaction: Transaction, orderId: string): Promise<Payment[]> {
  const order = q.selectFrom('orders').select('number').where('id', '=', orderId);
  await transaction.rows(LOCK.where('orderNumber', 'in', order));
  const own = PAYMENT.where('orders.id', '=', orderId).orderBy('payments.reference');
  return transaction.rows(own, PAYMENT_JSON);
}

/** The payment that a provider means by any of these names. Our own reference counts before its ids. */
export async function referenceOf(
  db: Reader,
  provider: string,
  names: readonly string[],
): Promise<string | undefined> {
  const own = q.selectFrom('payments').select('reference').where('provider', '=', provider);
  const named = own.where(({ eb, or }) =>
    or([eb('reference', 'in', names), eb('providerId', 'in', names), eb('paymentId', 'in', names)]),
  );
  const found = names.length === 0 ? [] : await db.rows(named.orderBy('reference').limit(10));
  return (found.find(({ reference }) => names.includes(reference)) ?? found[0])?.reference;
}

const UNDER_WAY = prepared(({ orderNumbers }: { orderNumbers: readonly number[] }) =>
  q
    .selectFrom('payments')
    .select((row) => ['orderNumber', row.fn.max('createdAt').as('startedAt')])
    .where('orderNumber', 'in', orderNumbers)
    .where('state', '=', 'started')
    .where('started', 'is not', null)
    .groupBy('orderNumber'),
);

/** When the newest payment was started whose end is not known, by order number. Units: ms since 1970. */
export async function paymentsUnderWay(
  db: Reader,
  orderNumbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows(UNDER_WAY({ orderNumbers }));
  return new Map(rows.map(({ orderNumber, startedAt }) => [orderNumber, Number(startedAt)]));
}

/** What a payment brought in. What came in another currency counts as what was asked for. */
export const receivedOf = ({
  amountPaise,
  receivedPaise,
  receivedCurrency,
}: Pick<Payment, 'amountPaise' | 'receivedPaise' | 'receivedCurrency'>): Paise =>
  receivedCurrency === CURRENCY.code ? (receivedPaise ?? amountPaise) : amountPaise;

const TO_RESOLVE = PAYMENT.where('state', 'in', literals('flagged', 'refund_due'))
  .where('resolvedAt', 'is', null)
  .where(({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom('refunds')
          .select('key')
          .whereRef('refunds.reference', '=', 'payments.reference')
          .where('refunds.state', '=', 'refunding'),
      ),
    ),
  );

const WITH_NEWS = PAYMENT.where(
  'payments.reference',
  'in',
  q.selectFrom('refunds').select('reference').where('noted', '=', 0),
);

/** The longest waiting first: those to resolve, and those with a refund or dispute that the staff have not noted. */
export async function paymentsNeedingAttention(db: Reader, max: number): Promise<Payment[]> {
  const found = await Promise.all(
    [TO_RESOLVE, WITH_NEWS].map((due) =>
      db.rows(due.orderBy('changedAt').orderBy('payments.reference').limit(max), PAYMENT_JSON),
    ),
  );
  const byReference = new Map(found.flat().map((payment) => [payment.reference, payment]));
  return [...byReference.values()].toSorted((one, other) => one.changedAt - other.changedAt).slice(0, max);
}

export interface NewPayment {
  readonly provider: string;
  readonly method: string;
  readonly returnOrigin: string;
  readonly isPaidAtDoor: boolean;
}

/** Returns the order's open payment by this method, or stores a new one. The caller has locked the order. */
export async function storePayment(
  { clock }: Services,
  transaction: Transaction,
  order: StoredOrder,
  { isPaidAtDoor, ...given }: NewPayment,
): Promise<{ readonly payment: Payment; readonly isNew: boolean }> {
  const now = clock();
  const open = await transaction.row(
    PAYMENT.where('state', '=', 'started')
      .where('payments.createdAt', '>', now - PAYMENT_VALID_MS)
      .where('orderNumber', '=', order.number)
      .where('provider', '=', given.provider)
      .where('method', '=', given.method)
      .where('returnOrigin', '=', given.returnOrigin),
    PAYMENT_JSON,
  );
  if (open) return { payment: open, isNew: false };
  const reference = randomReference();
  await transaction.run(
    q.insertInto('payments').values({
      ...given,
      reference,
      orderNumber: order.number,
      amountPaise: order.totalPaise,
      currency: CURRENCY.code,
      state: isPaidAtDoor ? 'to_collect' : 'started',
      createdAt: now,
      changedAt: now,
      nextPollAt: isPaidAtDoor ? null : nextPoll(now, now),
    }),
  );
  const payment = await findPayment(transaction, reference);
  if (!payment) throw new Error('The new payment is not in the database.');
  return { payment, isNew: true };
}

/** Stores the provider's answer. The payment may be polled from now on. */
export const storeStarted = (
  transaction: Transaction,
  { reference }: Payment,
  { providerId, ...started }: Started,
): Promise<number> =>
  transaction.run(
    q
      .updateTable('payments')
      .set({ started: JSON.stringify(started), providerId: providerId ?? null, polledAt: null, words: '' })
      .where('reference', '=', reference),
  );

/** Stores why the provider refused to start a payment, in its words, for the shopper's next try and for the staff. */
export const storeWords = (
  transaction: Transaction,
  { reference }: Payment,
  words: string,
): Promise<number> =>
  transaction.run(q.updateTable('payments').set({ words }).where('reference', '=', reference));
