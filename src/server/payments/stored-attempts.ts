import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import { randomReference } from '#server/ledger/book.ts';
import { SHOWN_NUMBER, type StoredOrder } from '#server/orders/stored-orders.ts';
import { SKEW } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { nextPoll } from './polling.ts';
import { PaymentResponseSchema, type Started } from './schema.ts';

/**
 * `reference` is our id of it, `providerId` the provider's, null until it was started. `paymentId` is the provider's id of
 * the money, which refunds and disputes name; null until it came. `bankReference` is what the payer's bank calls it, such as a
 * UTR. `started` is the next step of the payment page; null
 * until the provider has started the payment. `returnOrigin` is the site on which the shopper pays.
 */
const ATTEMPT = q
  .selectFrom('paymentAttempts')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .select(['reference', 'orderNumber', 'provider', 'providerId', 'paymentId', 'method', 'amountPaise'])
  .select([
    'bankReference',
    'currency',
    'state',
    'providerMessage',
    'started',
    'returnOrigin',
    'paymentAttempts.createdAt',
  ])
  .select(['changedAt', 'nextPollAt', 'orders.id as orderId', 'orders.status as orderStatus'])
  .select(['customerId', 'contactEmail'])
  .select(['language', 'toPayPaise', SHOWN_NUMBER]);

const ATTEMPT_JSON = { started: v.nullable(json(v.pick(PaymentResponseSchema, ['action', 'redirectUrl']))) };

/** A try to pay an order at a provider. An order may have several. */
export type Attempt = RowOf<typeof ATTEMPT, typeof ATTEMPT_JSON>;

export const findAttempt = (db: Reader, reference: string): Promise<Attempt | undefined> =>
  db.row(ATTEMPT.where('reference', '=', reference), ATTEMPT_JSON);

const LOCK = q.selectFrom('paymentAttempts').select('reference').orderBy('reference').forNoKeyUpdate();

/**
 * Locks the attempt until the transaction ends. The caller has locked its order. It is read afterwards: PostgreSQL would join
 * the row of its order as it was before the wait for the lock.
 */
export async function lockAttempt(transaction: Transaction, reference: string): Promise<Attempt | undefined> {
  await transaction.rows(LOCK.where('reference', '=', reference));
  return findAttempt(transaction, reference);
}

/** Oldest first. */
export const attemptsOf = (db: Reader, orderNumber: number): Promise<Attempt[]> =>
  db.rows(
    ATTEMPT.where('orderNumber', '=', orderNumber).orderBy('paymentAttempts.createdAt').orderBy('reference'),
    ATTEMPT_JSON,
  );

/** The attempt that a provider means by any of these names. Our own reference counts before its ids. */
export async function referenceOf(
  db: Reader,
  provider: string,
  names: readonly string[],
): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  const own = q.selectFrom('paymentAttempts').select('reference').where('provider', '=', provider);
  const paid = q.selectFrom('movements').select('attempt').where('way', '=', provider);
  const named = own.where(({ eb, or }) =>
    or([
      eb('reference', 'in', names),
      eb('providerId', 'in', names),
      eb('paymentId', 'in', names),
      eb('reference', 'in', paid.where('externalId', 'in', names)),
    ]),
  );
  const found = await db.rows(named.orderBy('reference').limit(10));
  return (found.find(({ reference }) => names.includes(reference)) ?? found[0])?.reference;
}

const UNDER_WAY = prepared(({ orderNumbers }: { orderNumbers: readonly number[] }) =>
  q
    .selectFrom('paymentAttempts')
    .select((row) => ['orderNumber', row.fn.max('createdAt').as('startedAt')])
    .where('orderNumber', 'in', orderNumbers)
    .where('state', '=', 'open')
    .where('started', 'is not', null)
    .groupBy('orderNumber'),
);

/** When the newest attempt was started whose end is not known, by order number. Units: ms since 1970. */
export async function paymentsUnderWay(
  db: Reader,
  orderNumbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows(UNDER_WAY({ orderNumbers }));
  return new Map(rows.map(({ orderNumber, startedAt }) => [orderNumber, Number(startedAt)]));
}

/** Returns the order's open attempt by this method for what is to pay, or stores a new one. The caller has locked the order. */
export async function storeAttempt(
  { clock }: Services,
  transaction: Transaction,
  { number: orderNumber, toPayPaise: amountPaise }: StoredOrder,
  given: Readonly<Record<'provider' | 'method' | 'returnOrigin', string>>,
): Promise<{ readonly attempt: Attempt; readonly isNew: boolean }> {
  const now = clock();
  const open = await transaction.row(
    ATTEMPT.where('state', '=', 'open')
      .where('paymentAttempts.createdAt', '>', now - PAYMENT_VALID_MS)
      .where('paymentAttempts.createdAt', '<=', now + SKEW)
      .where('orderNumber', '=', orderNumber)
      .where('amountPaise', '=', amountPaise)
      .where('provider', '=', given.provider)
      .where('method', '=', given.method)
      .where('returnOrigin', '=', given.returnOrigin),
    ATTEMPT_JSON,
  );
  if (open) return { attempt: open, isNew: false };
  const reference = randomReference();
  await transaction.run(
    q.insertInto('paymentAttempts').values({
      ...given,
      reference,
      orderNumber,
      amountPaise,
      currency: CURRENCY.code,
      state: 'open',
      createdAt: now,
      changedAt: now,
      nextPollAt: nextPoll(now, now),
    }),
  );
  const attempt = await findAttempt(transaction, reference);
  if (!attempt) throw new Error('The new attempt is not in the database.');
  return { attempt, isNew: true };
}

type Change = Partial<
  Pick<
    Attempt,
    'state' | 'changedAt' | 'providerId' | 'paymentId' | 'bankReference' | 'providerMessage' | 'nextPollAt'
  >
>;

export const setAttempt = (transaction: Transaction, reference: string, set: Change): Promise<number> =>
  transaction.run(q.updateTable('paymentAttempts').set(set).where('reference', '=', reference));

/** Stores the provider's answer. The attempt may be polled from now on. */
export const storeStarted = (
  transaction: Transaction,
  { reference }: Attempt,
  { providerId, ...started }: Started,
): Promise<number> =>
  transaction.run(
    q
      .updateTable('paymentAttempts')
      .set({ started: JSON.stringify(started), providerId: providerId ?? null, polledAt: null })
      .set({ providerMessage: '' })
      .where('reference', '=', reference),
  );

/** Makes attempts due now, because there may be news, or a refund to request. */
export const pollNext = (
  transaction: Transaction,
  references: readonly string[],
  now: number,
): Promise<number> =>
  transaction.run(
    q
      .updateTable('paymentAttempts')
      .set({ nextPollAt: now, polledAt: null })
      .where('reference', 'in', references),
  );
