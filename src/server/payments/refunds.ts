import * as v from 'valibot';
import type { Paise } from '#domain/money.ts';
import { appendedTo } from '#server/db/columns.ts';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import type { Services } from '#server/services/services.ts';
import { queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { OWNER_PAYMENT_EMAILS } from './emails/owner-emails.ts';
import { PAYMENT_EMAILS } from './emails/payment-emails.ts';
import { PAYMENT_STATES } from './payment-state.ts';
import { pollDelay } from './polling.ts';
import { CASH_NAME } from './providers/cash/cash.ts';
import type { RefundAnswer } from './providers/provider.ts';
import { changePayment, lockPayment, type Payment } from './stored-payments.ts';
import {
  disputesOf,
  holdsMoney,
  REFUND,
  type Refund,
  receivedPaise,
  refundable,
  refundsOf,
} from './stored-refunds.ts';

/** What is left of a payment that the caller has locked, in paise. */
const leftOf = (payment: Payment, refunds: readonly Refund[]): Paise =>
  refundable(receivedPaise(payment), refunds);

export type RefundRequest = Pick<Refund, 'key' | 'reference' | 'paise' | 'reason' | 'who'> & {
  /** The return that is done once the refund has succeeded. */
  readonly returnId?: string | null;
};

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
  request: RefundRequest,
  kind: keyof typeof INITIAL = 'byProvider',
): Promise<{ readonly left: Paise } | undefined> {
  const { key, reference, paise, reason, who } = request;
  const payment = await lockPayment(transaction, reference);
  const refunds = await refundsOf(transaction, [reference]);
  const left =
    payment && holdsMoney(payment.state)
      ? refundable(receivedPaise(payment), refunds, await disputesOf(transaction, [reference]))
      : 0;
  if (paise <= 0 || paise > left) return { left };
  // A refund that is tried again, or made by hand instead, ends the same return.
  const failed = refunds.findLast((each) => isFailedReturn(each, refunds) && each.paise <= paise);
  const { returnId = failed?.returnId ?? null } = request;
  await supersedeFailed(transaction, reference, paise);
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
      returnId,
    }),
  );
  if (kind === 'byHand') await endReturn(transaction, key, now);
  return undefined;
}

/** The return of a refund that was made is done. */
async function endReturn(transaction: Transaction, key: string, now: number): Promise<void> {
  const ended = q.selectFrom('refunds').select('returnId').where('key', '=', key);
  const done = q.updateTable('returns').set({ state: 'refunded', changedAt: now });
  await transaction.run(done.where('id', '=', ended));
}

/** Whether the refund of a return failed, and no other is on its way. */
const isFailedReturn = ({ returnId }: Refund, refunds: readonly Refund[]): boolean =>
  returnId !== null &&
  refunds.every((other) => other.returnId !== returnId || other.state === 'refund_failed');

/** A failed refund needs no attention any more once it was tried again, or the money went back in another way. */
export const supersedeFailed = (transaction: Transaction, reference: string, paise: Paise): Promise<number> =>
  transaction.run(
    q
      .updateTable('refunds')
      .set({ noted: 1 })
      .where('reference', '=', reference)
      .where('state', '=', 'refund_failed')
      .where('paise', '<=', paise),
  );

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

export const claimRefund = (services: Services, { key, nextPollAt, polls }: Refund): Promise<number> =>
  services.db.write((transaction) =>
    transaction.run(
      q
        .updateTable('refunds')
        .set(({ eb }) => ({ nextPollAt: services.clock() + pollDelay(polls), polls: eb('polls', '+', 1) }))
        .where('key', '=', key)
        .where('nextPollAt', '=', nextPollAt),
    ),
  );

/** Marks a payment as refunded once nothing of it is left. If a refund fails afterwards, it is due again. */
export async function closePayment(
  transaction: Transaction,
  services: OutboxServices,
  payment: Payment,
): Promise<void> {
  const { state, reference } = payment;
  const refunds = await refundsOf(transaction, [reference]);
  const isGone = leftOf(payment, refunds) === 0 && refunds.every((refund) => refund.state !== 'refunding');
  if (state === 'refunded' && !isGone) await changePayment(transaction, services, payment, 'refund_due');
  const isDue = state === 'refund_due' || (state !== 'refunded' && holdsMoney(state) && refunds.length > 0);
  if (isGone && isDue) await changePayment(transaction, services, payment, 'refunded');
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

const PAYMENT_EVENTS = {
  events: appendedTo(v.object({ state: v.picklist(PAYMENT_STATES), at: v.number() })),
};

/**
 * Takes `endPayments` back for an order that lives again. The caller has locked them. Returns false, and changes nothing,
 * if money was returned since.
 * @param since when they were ended, in ms
 */
export async function reopenPayments(
  transaction: Transaction,
  services: OutboxServices,
  payments: readonly Payment[],
  since: number,
): Promise<boolean> {
  const records = await transaction.rows(
    q
      .selectFrom('payments')
      .select(['reference', 'state', 'events'])
      .where('changedAt', '>=', since)
      .where(
        'reference',
        'in',
        payments.map(({ reference }) => reference),
      ),
    PAYMENT_EVENTS,
  );
  const refunds = await refundsOf(
    transaction,
    records.map(({ reference }) => reference),
  );
  if (refunds.some(({ state, createdAt }) => state !== 'refund_failed' && createdAt >= since)) return false;
  for (const { reference, state, events } of records) {
    const before = events.at(-2)?.state;
    const provider = payments.find((payment) => payment.reference === reference)?.provider ?? '';
    if (state === 'refund_due' && before === 'paid')
      await changePayment(transaction, services, { reference }, 'paid');
    if (state === 'failed' && before === undefined && provider === CASH_NAME)
      await changePayment(transaction, services, { reference }, 'to_collect');
  }
  return true;
}

/** Stores that a refund has ended, queues the emails about it, and ends its return. Returns whether it changed. */
export async function changeRefund(
  transaction: Transaction,
  services: OutboxServices,
  {
    key,
    reference,
    paise,
    state: from,
    byHand,
  }: Pick<Refund, 'key' | 'reference' | 'paise' | 'state' | 'byHand'>,
  answer: RefundAnswer,
  email: typeof PAYMENT_EMAILS.returned = PAYMENT_EMAILS.returned,
): Promise<boolean> {
  const { state } = answer;
  if (state === from || state === 'refunding' || byHand) return false;
  const words = state === 'refund_failed' ? answer.text : '';
  const now = services.clock();
  const set = { state, words, changedAt: now, nextPollAt: null };
  const noted = state === 'refund_failed' ? { noted: 0 } : from === 'refund_failed' ? { noted: 1 } : {};
  const update = q
    .updateTable('refunds')
    .set({ ...set, ...noted })
    .where('key', '=', key);
  if ((await transaction.run(update.where('state', '=', from))) === 0) return false;
  if (state === 'refund_failed') {
    const details = { paise, words };
    await queueEmailForOwners(transaction, services, OWNER_PAYMENT_EMAILS.refundFailed, reference, details);
    return true;
  }
  await queueEmail(transaction, services, email, reference, { paise });
  await endReturn(transaction, key, now);
  return true;
}

/** Stores the provider's answer to a request for a refund. */
export async function storeAnswer(
  services: Services,
  refund: Refund,
  answer: RefundAnswer,
  isByHand: boolean,
): Promise<void> {
  const { returned, returnedByHand } = PAYMENT_EMAILS;
  const { reference } = refund;
  const isChanged = await services.db.write(async (transaction) => {
    const payment = await lockPayment(transaction, reference);
    const email = isByHand ? returnedByHand : returned;
    if (!(await changeRefund(transaction, services, refund, answer, email))) return false;
    if (payment) await closePayment(transaction, services, payment);
    return true;
  });
  if (!isChanged) return;
  const { state } = answer;
  services.log(state === 'refunded' ? 'info' : 'warn', 'refund changed', { reference, state });
}
