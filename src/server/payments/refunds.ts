import * as CURRENCY from '#domain/currency.ts';
import type { Paise } from '#domain/money.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import type { Services } from '#server/services/services.ts';
import { queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { OWNER_PAYMENT_EMAILS } from './emails/owner-emails.ts';
import { PAYMENT_EMAILS } from './emails/payment-emails.ts';
import type { PaymentState } from './payment-state.ts';
import { POLL_EVERY, pollDelay } from './polling.ts';
import { recordProviderError } from './provider-errors.ts';
import type { RefundAnswer } from './providers/provider.ts';
import { providersOf } from './providers/table.ts';
import { changePayment, findPayment, lockPayment, type Payment } from './stored-payments.ts';

/**
 * `key` is our id of the refund, and its idempotency key at the provider. `words` is the provider's message if it
 * refused. `byHand` is 1 if staff refunded outside the shop, such as by bank transfer. No provider is called then.
 */
const REFUND = q
  .selectFrom('refunds')
  .select([
    'key',
    'reference',
    'paise',
    'reason',
    'who',
    'state',
    'words',
    'byHand',
    'createdAt',
    'changedAt',
  ])
  .select(['nextPollAt', 'polls']);

/** A recorded refund: all of a payment, or a part of it. */
export type Refund = RowOf<typeof REFUND>;

/** Oldest first. */
export const refundsOf = async (db: Reader, references: readonly string[]): Promise<Refund[]> =>
  references.length === 0
    ? []
    : db.rows(REFUND.where('reference', 'in', references).orderBy('createdAt').orderBy('key'));

/**
 * What can still be refunded of a payment, in paise, whether by hand or by its provider. Every form and every check
 * uses it. A failed refund does not count.
 */
export const refundable = (amountPaise: Paise, refunds: readonly Refund[]): Paise =>
  refunds.reduce((left, { state, paise }) => (state === 'refund_failed' ? left : left - paise), amountPaise);

/** Whether a payment in this state can be refunded. */
export const holdsMoney = (state: PaymentState): boolean =>
  state === 'paid' || state === 'refund_due' || state === 'flagged';

interface ReportedPayment {
  readonly state: PaymentState;
  readonly amountPaise: Paise;
  /** null if nothing was reported, or the amount is unreadable. */
  readonly reportedPaise: Paise | null;
  readonly reportedCurrency: string | null;
}

/** The money that a payment brought in, in paise: the reported amount if it differs from the requested one. */
export const receivedPaise = ({
  state,
  amountPaise,
  reportedPaise,
  reportedCurrency,
}: ReportedPayment): Paise =>
  (state === 'flagged' || state === 'refunded') && reportedCurrency === CURRENCY.code
    ? (reportedPaise ?? amountPaise)
    : amountPaise;

/** What is left to refund of a payment that the caller has locked, in paise. */
async function leftOf(
  transaction: Transaction,
  { reference, state, amountPaise }: Pick<Payment, 'reference' | 'state' | 'amountPaise'>,
  refunds: readonly Refund[],
): Promise<Paise> {
  const reports = q
    .selectFrom('paymentReports')
    .select(['amountPaise as reportedPaise', 'currency as reportedCurrency']);
  const report = await transaction.row(reports.where('reference', '=', reference));
  const { reportedPaise = null, reportedCurrency = null } = report ?? {};
  return refundable(receivedPaise({ state, amountPaise, reportedPaise, reportedCurrency }), refunds);
}

export type RefundRequest = Pick<Refund, 'key' | 'reference' | 'paise' | 'reason' | 'who'>;

/** The first state of a refund. */
const INITIAL = {
  byProvider: { state: 'refunding', byHand: 0 },
  byHand: { state: 'refunded', byHand: 1 },
} as const;

/**
 * Records a refund. Locks the payment, so that two staff members at once never refund more than was received. Returns
 * what is left if the amount is too large, or undefined if it is stored.
 */
export async function storeRefund(
  transaction: Transaction,
  now: number,
  { key, reference, paise, reason, who }: RefundRequest,
  kind: keyof typeof INITIAL = 'byProvider',
): Promise<{ readonly left: Paise } | undefined> {
  const payment = await lockPayment(transaction, reference);
  const left =
    payment && holdsMoney(payment.state)
      ? await leftOf(transaction, payment, await refundsOf(transaction, [reference]))
      : 0;
  if (paise <= 0 || paise > left) return { left };
  await transaction.run(
    q.insertInto('refunds').values({
      key,
      reference,
      paise,
      reason,
      who,
      words: '',
      ...INITIAL[kind],
      createdAt: now,
      changedAt: now,
      nextPollAt: kind === 'byHand' ? null : now,
      polls: 0,
    }),
  );
  return undefined;
}

/** Records a refund that was made by hand, and emails the customer. Returns the same as `storeRefund`. */
export async function recordRefundByHand(
  transaction: Transaction,
  services: OutboxServices,
  request: RefundRequest,
): Promise<{ readonly left: Paise } | undefined> {
  const refusal = await storeRefund(transaction, services.clock(), request, 'byHand');
  if (refusal) return refusal;
  const { reference, paise } = request;
  await queueEmail(transaction, services, PAYMENT_EMAILS.returnedByHand, reference, { paise });
  const payment = await lockPayment(transaction, reference);
  if (payment) await closePayment(transaction, services, payment);
  return undefined;
}

/** The refunds to make, or to poll, now. */
export const dueRefunds = (services: Services, most: number): Promise<Refund[]> =>
  services.db.rows(REFUND.where('nextPollAt', '<=', services.clock()).orderBy('nextPollAt').limit(most));

const claim = (services: Services, { key, nextPollAt, polls }: Refund): Promise<number> =>
  services.db.write((transaction) =>
    transaction.run(
      q
        .updateTable('refunds')
        .set(({ eb }) => ({ nextPollAt: services.clock() + pollDelay(polls), polls: eb('polls', '+', 1) }))
        .where('key', '=', key)
        .where('nextPollAt', '=', nextPollAt),
    ),
  );

/** Marks a payment as refunded once nothing is left to refund. */
async function closePayment(
  transaction: Transaction,
  services: OutboxServices,
  payment: Payment,
): Promise<void> {
  if (payment.state !== 'refund_due' && payment.state !== 'flagged') return;
  const refunds = await refundsOf(transaction, [payment.reference]);
  const isRefunded =
    refunds.every(({ state }) => state !== 'refunding') &&
    (await leftOf(transaction, payment, refunds)) === 0;
  if (isRefunded) await changePayment(transaction, services, payment, 'refunded');
}

/**
 * Ends the payments of a cancelled order: what was paid becomes `refund_due`, what was to be collected fails. The
 * caller has locked them. Returns how many became `refund_due`: at most one, because only one payment of an order can
 * be paid.
 */
export async function endPayments(
  transaction: Transaction,
  services: OutboxServices,
  payments: readonly Payment[],
): Promise<number> {
  for (const payment of payments) {
    if (payment.state === 'to_collect') await changePayment(transaction, services, payment, 'failed');
    if (payment.state !== 'paid') continue;
    await changePayment(transaction, services, payment, 'refund_due');
    await closePayment(transaction, services, { ...payment, state: 'refund_due' });
  }
  return payments.filter(({ state }) => state === 'paid').length;
}

async function storeAnswer(
  services: Services,
  { key, reference, paise }: Refund,
  answer: RefundAnswer,
  email: typeof PAYMENT_EMAILS.returned,
): Promise<void> {
  if (answer.state === 'refunding') return;
  const words = answer.state === 'refund_failed' ? answer.text : '';
  const isChanged = await services.db.write(async (transaction) => {
    const payment = await lockPayment(transaction, reference);
    const set = { state: answer.state, words, changedAt: services.clock(), nextPollAt: null };
    const update = q.updateTable('refunds').set(set).where('key', '=', key);
    const changed = await transaction.run(update.where('state', '=', 'refunding'));
    if (changed === 0) return false;
    if (answer.state === 'refunded') await queueEmail(transaction, services, email, reference, { paise });
    else
      await queueEmailForOwners(transaction, services, OWNER_PAYMENT_EMAILS.refundFailed, reference, {
        paise,
        words,
      });
    if (payment) await closePayment(transaction, services, payment);
    return true;
  });
  if (!isChanged) return;
  services.log(answer.state === 'refunded' ? 'info' : 'warn', 'refund changed', {
    reference,
    state: answer.state,
  });
}

/**
 * Makes a refund at its provider, or polls it. Both are the same call, because the provider makes a refund once for a
 * key. If the process dies before the answer is stored, the next run repeats the call with the same key.
 */
export async function processRefund(services: Services, refund: Refund): Promise<void> {
  if ((await claim(services, refund)) === 0) return;
  const payment = await findPayment(services.db, refund.reference);
  const provider = payment && providersOf(services).get(payment.provider);
  if (!payment || !provider) {
    services.log('error', 'refund waits for a provider that is not among PAYMENT_PROVIDERS', {
      reference: refund.reference,
      ...(payment ? { provider: payment.provider } : {}),
    });
    return;
  }
  try {
    const answer = await provider.refund(payment, refund.paise, refund.key);
    const { returned, returnedByHand } = PAYMENT_EMAILS;
    await storeAnswer(services, refund, answer, provider.isPaidAtDoor ? returnedByHand : returned);
  } catch (error) {
    await recordProviderError(services, payment.provider, error, 'refund could not be requested');
  }
}

/** Makes refunds of a provider due in 5 s, so that repeated hints cause one poll. */
export async function pollRefundsSoon(
  { db, clock }: Services,
  provider: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const soon = clock() + POLL_EVERY;
  await db.write((transaction) =>
    transaction.run(
      q
        .updateTable('refunds')
        .set({ nextPollAt: soon })
        .where('state', '=', 'refunding')
        .where('nextPollAt', '>', soon)
        .where('key', 'in', keys)
        .where(
          'reference',
          'in',
          q.selectFrom('payments').select('reference').where('provider', '=', provider),
        ),
    ),
  );
}
