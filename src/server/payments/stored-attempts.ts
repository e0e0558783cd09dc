import { expressionBuilder, sql, type Updateable } from 'kysely';
import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { randomReference } from '#server/ledger/book.ts';
import { SHOWN_NUMBER, type StoredOrder } from '#server/orders/stored-orders.ts';
import { DAY, MINUTE, SKEW } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { PaymentResponseSchema } from './schema.ts';

/**
 * `reference` is our id of it, `providerId` the provider's, null until it was started. `paymentId` is the provider's id of
 * the money, which refunds and disputes name; null until it came. `bankReference` is what the payer's bank calls it, such as a
 * UTR. `started` is the next step of the payment page; null until the provider has started the payment. `returnOrigin` is the
 * site on which the shopper pays.
 */
const ATTEMPT = q
  .selectFrom('paymentAttempts')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .select(['reference', 'orderNumber', 'provider', 'providerId', 'paymentId', 'method', 'amountPaise'])
  .select(['bankReference', 'currency', 'state', 'providerMessage', 'started', 'returnOrigin'])
  .select(['paymentAttempts.createdAt', 'changedAt', 'nextPollAt', 'orders.id as orderId'])
  .select(['orders.status as orderStatus', 'customerId', 'contactEmail', 'language', 'toPayPaise'])
  .select(SHOWN_NUMBER);

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

export const setAttempt = (
  transaction: Transaction,
  reference: string,
  set: Updateable<Tables['paymentAttempts']>,
): Promise<number> =>
  transaction.run(q.updateTable('paymentAttempts').set(set).where('reference', '=', reference));

/** The shortest time between two polls of one payment, in ms. */
const POLL_EVERY = 5_000;

/** Money that came is polled for refunds and disputes, in ms. */
export const MONEY_POLLED_EVERY = DAY;

/** When a payment that a poll has found is polled for refunds and disputes, in ms after it. */
export const REFUNDS_POLLED_AFTER = 10 * MINUTE;

/** When an open payment, or a refund, is polled after its start, in ms; after that once a day. */
const POLL_AFTER = [2 * MINUTE, 10 * MINUTE, 60 * MINUTE];

/** How soon a poll that brought no answer is repeated, in ms. */
const RETRIED_AFTER = 30 * MINUTE;

/** When to poll next. Times are in ms since 1970; `createdAt` may be of a clock that was ahead. */
export const nextPoll = (createdAt: number, now: number): number =>
  POLL_AFTER.map((after) => Math.min(createdAt, now) + after).find((at) => at > now) ?? now + DAY;

const attempt = expressionBuilder<Tables, 'paymentAttempts'>();

/** Between these times, in ms since 1970, a poll was just now. */
export const pollTimes = (now: number) => ({ lately: now - POLL_EVERY, ahead: now + SKEW });

export type PollTimes = ReturnType<typeof pollTimes>;

/** Whether the last poll of a payment was long enough ago. */
export const isPollable = ({ lately, ahead }: PollTimes) =>
  attempt.or([
    attempt('polledAt', 'is', null),
    attempt('polledAt', '<=', lately),
    attempt('polledAt', '>', ahead),
  ]);

/** Whether a payment was stored or polled by a clock that was ahead: its `nextPollAt` means nothing. By an index. */
export const isAhead = ({ ahead }: PollTimes) =>
  sql<boolean>`coalesce(polled_at, created_at) > ${ahead} AND next_poll_at IS NOT NULL`;

/**
 * Claims the next poll of a payment, across all processes: one of them changes the row. The answer decides when it is
 * polled next. Without one, even if the process dies, it is due again soon. A stranger's request reaches a provider only
 * by such a claim. Returns false if the last poll was less than 5 s ago.
 * @param isDue whether only a poll that is due is claimed; else any of a payment whose money has not come
 */
export async function claimPoll(
  { db, clock }: Services,
  { reference, createdAt }: { readonly reference: string; readonly createdAt: number },
  isDue = false,
): Promise<boolean> {
  const now = clock();
  const retryAt = Math.min(nextPoll(createdAt, now), now + RETRIED_AFTER);
  const own = q.updateTable('paymentAttempts').where('reference', '=', reference);
  const times = pollTimes(now);
  const update = own.where(isPollable(times));
  const claim = isDue
    ? update
        .set({ polledAt: now, nextPollAt: retryAt })
        .where(({ eb, or }) => or([eb('nextPollAt', '<=', now), isAhead(times)]))
    : update.set({ polledAt: now }).where('state', 'in', ['open', 'failed']);
  return (await db.write((transaction) => transaction.run(claim))) > 0;
}
