import { sql } from 'kysely';
import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import type { Paise } from '#domain/money.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { appended, json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import type { OutboxServices } from '#server/email/outbox.ts';
import type { Services } from '#server/services/services.ts';
import { queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { OWNER_PAYMENT_EMAILS } from './emails/owner-emails.ts';
import type { Payable } from './payable.ts';
import { isProblem, type PaymentState } from './payment-state.ts';
import { pollDelay } from './polling.ts';
import type { PaymentOrder, Started } from './providers/provider.ts';
import { PaymentResponseSchema } from './schema.ts';

/** A try to pay an order. An order may have several. */
export interface Payment extends PaymentOrder {
  readonly orderNumber: number;
  readonly provider: string;
  readonly state: PaymentState;
  /** The origin of the site on which the shopper pays, and to which the provider redirects. */
  readonly returnOrigin: string;
  /** What came; null if nothing did yet, or it cannot be read. */
  readonly receivedPaise: Paise | null;
  readonly receivedCurrency: string | null;
  /** The provider's last message about it; '' if there is none. */
  readonly words: string;
  /** The next step of the payment page; undefined until the provider has started the payment. */
  readonly started: Started | undefined;
}

const orUndefined = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.nullable(schema),
    v.transform((value) => value ?? undefined),
  );

const PAYMENT = q
  .selectFrom('payments')
  .select([
    'reference',
    'orderNumber',
    'provider',
    'providerId',
    'method',
    'amountPaise',
    'currency',
    'state',
  ])
  .select(['returnOrigin', 'started', 'createdAt', 'receivedPaise', 'receivedCurrency', 'words']);

const PAYMENT_JSON = {
  providerId: orUndefined(v.string()),
  started: orUndefined(json(v.pick(PaymentResponseSchema, ['action', 'redirectUrl']))),
};

export const findPayment = (db: Reader, reference: string): Promise<Payment | undefined> =>
  db.row(PAYMENT.where('reference', '=', reference), PAYMENT_JSON);

export const lockPayment = (transaction: Transaction, reference: string): Promise<Payment | undefined> =>
  transaction.row(PAYMENT.where('reference', '=', reference).forNoKeyUpdate(), PAYMENT_JSON);

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

/** Stores why the provider refused to start a payment, in its words, for the shopper's next try and for the staff. */
export const storeWords = (
  transaction: Transaction,
  { reference }: Payment,
  words: string,
): Promise<number> =>
  transaction.run(q.updateTable('payments').set({ words }).where('reference', '=', reference));

const WORDS = q.selectFrom('payments').select('words').where('words', '!=', '');

/** What providers said about the payments of an order. */
export const wordsOf = async (db: Reader, orderNumber: number): Promise<string[]> =>
  (await db.rows(WORDS.where('orderNumber', '=', orderNumber))).map(({ words }) => words);

export interface NewPayment {
  readonly provider: string;
  readonly method: string;
  readonly returnOrigin: string;
  readonly isPaidAtDoor: boolean;
}

/** Returns the order's open payment by this method, or stores a new one. The caller has locked the order. */
export async function storePayment(
  { clock, ids }: Services,
  transaction: Transaction,
  order: Payable,
  { provider, method, returnOrigin, isPaidAtDoor }: NewPayment,
): Promise<{ readonly payment: Payment; readonly isNew: boolean }> {
  const now = clock();
  const started = PAYMENT.where('state', '=', 'started').where('createdAt', '>', now - PAYMENT_VALID_MS);
  const same = started.where('method', '=', method).where('provider', '=', provider);
  const open = await transaction.row(
    same.where('orderNumber', '=', order.number).where('returnOrigin', '=', returnOrigin),
    PAYMENT_JSON,
  );
  if (open) return { payment: open, isNew: false };
  const row = {
    reference: ids.payment(),
    orderNumber: order.number,
    provider,
    method,
    amountPaise: order.totalPaise,
    currency: CURRENCY.code,
    state: isPaidAtDoor ? 'to_collect' : 'started',
    returnOrigin,
    createdAt: now,
  } as const;
  const nextPollAt = isPaidAtDoor ? null : now + pollDelay(0);
  await transaction.run(q.insertInto('payments').values({ ...row, changedAt: now, nextPollAt }));
  const nothingYet = { receivedPaise: null, receivedCurrency: null, words: '' };
  const payment = { ...row, ...nothingYet, providerId: undefined, started: undefined };
  return { payment, isNew: true };
}

/** Stores the provider's answer. The payment may be polled from now on. */
export async function storeStarted(
  transaction: Transaction,
  { reference }: Payment,
  { providerId, ...started }: Started,
): Promise<void> {
  await transaction.run(
    q
      .updateTable('payments')
      .set({ started: JSON.stringify(started), providerId: providerId ?? null, polledAt: null, words: '' })
      .where('reference', '=', reference),
  );
}

/**
 * Sets the state of a payment, which the caller has locked, and emails the owners if it needs attention. Nothing else
 * changes the state of a stored payment.
 */
export async function changePayment(
  transaction: Transaction,
  services: OutboxServices,
  { reference }: Pick<Payment, 'reference'>,
  state: PaymentState,
): Promise<void> {
  const now = services.clock();
  await transaction.run(
    q
      .updateTable('payments')
      .set({ state, changedAt: now, events: sql`events || ${appended({ state, at: now })}` })
      .where('reference', '=', reference),
  );
  if (isProblem(state))
    await queueEmailForOwners(transaction, services, OWNER_PAYMENT_EMAILS.paymentAttention, reference, {});
}

/** The payments of an order, locked until the transaction ends. */
export function lockPaymentsOf(transaction: Transaction, orderId: string): Promise<Payment[]> {
  const order = q.selectFrom('orders').select('number').where('id', '=', orderId);
  const own = PAYMENT.where('orderNumber', '=', order).orderBy('reference');
  return transaction.rows(own.forNoKeyUpdate(), PAYMENT_JSON);
}
