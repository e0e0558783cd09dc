import { type Insertable, sql } from 'kysely';
import type { Paise } from '#domain/money.ts';
import { staffStatusOf } from '#server/admin/order-status.ts';
import { appended } from '#server/db/columns.ts';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import type { PaymentState, Tables } from '#server/db/tables.ts';
import { isUntried, type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { PAYMENT_EMAILS } from './emails.ts';
import { holdsMoney, isProblem } from './payment-state.ts';
import { CASH_NAME } from './providers/cash/cash.ts';
import type { PaymentReport, ReportedRefund } from './providers/provider.ts';
import { lockPayment, type Payment, randomReference } from './stored-payments.ts';
import {
  isDispute,
  isOpenDispute,
  isReturned,
  leftAfter,
  type Refund,
  refundable,
  refundsOf,
} from './stored-refunds.ts';

/* Changes of payments and of the money that goes back. */

/** Emails the owners that a payment needs attention, unless such an email waits already. It says all there is to say. */
async function notifyOwners(
  transaction: Transaction,
  services: OutboxServices,
  reference: string,
): Promise<void> {
  const { paymentAttention } = PAYMENT_EMAILS;
  if (!(await isUntried(transaction, paymentAttention.kind, reference)))
    await queueEmailForOwners(transaction, services, paymentAttention, reference, {});
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
  if (isProblem(state)) await notifyOwners(transaction, services, reference);
}

/**
 * Marks a payment as refunded once nothing of it is left. If a refund fails afterwards, it is due again; if only a lost
 * dispute is won after all, the payment is paid again, unless its order has ended.
 */
async function closePayment(
  transaction: Transaction,
  services: OutboxServices,
  payment: Pick<Payment, 'reference'>,
): Promise<void> {
  const now = await lockPayment(transaction, payment.reference);
  if (!now) return;
  const refunds = await refundsOf(transaction, [now]);
  const isDue = now.state === 'refund_due' || (holdsMoney(now.state) && refunds.some(isReturned));
  const isGone = leftAfter(now, refunds, isReturned) === 0;
  if (now.state === 'refunded' && !isGone) {
    const hasFailed = refunds.some(({ state }) => state === 'refund_failed');
    const wasPaid = now.events.at(-2)?.state === 'paid' && !staffStatusOf(now.orderStatus).needsRefund;
    await changePayment(transaction, services, now, wasPaid && !hasFailed ? 'paid' : 'refund_due');
  }
  if (isDue && isGone) await changePayment(transaction, services, now, 'refunded');
}

/** Returns false if the key is known. */
const insertRefund = async (
  transaction: Transaction,
  now: number,
  row: Pick<Refund, 'key' | 'reference' | 'paise' | 'reason' | 'who' | 'state'> &
    Partial<Insertable<Tables['refunds']>>,
): Promise<boolean> => {
  const insert = q.insertInto('refunds').values({ words: '', createdAt: now, changedAt: now, ...row });
  return (await transaction.run(insert.onConflict((one) => one.column('key').doNothing()))) > 0;
};

export type RefundRequest = Pick<Refund, 'reference' | 'paise' | 'reason' | 'who'> & {
  /** Whether the staff have made it already, such as by bank transfer. Else the next poll requests it. */
  readonly isByHand?: boolean;
  /** The return that is done once the refund has succeeded. */
  readonly returnId?: string;
};

/**
 * Records a refund. Locks the payment, so that two staff members at once never refund more than was received. Returns
 * what is left if the amount is too large, or undefined if it is stored.
 */
export async function storeRefund(
  transaction: Transaction,
  services: OutboxServices,
  { isByHand = false, ...request }: RefundRequest,
): Promise<{ readonly left: Paise } | undefined> {
  const { reference, paise } = request;
  const payment = await lockPayment(transaction, reference);
  const refunds = await refundsOf(transaction, [request]);
  const left = payment && holdsMoney(payment.state) ? refundable(payment, refunds) : 0;
  if (!payment || paise <= 0 || paise > left) return { left };
  const now = services.clock();
  // A refund that is tried again, or made by hand instead, ends the same return.
  const failed = refunds.findLast((each) => isFailedReturn(each, refunds) && each.paise <= paise);
  const row = { returnId: failed?.returnId ?? null, ...request, key: randomReference() };
  await supersedeFailed(transaction, reference, paise);
  if (isByHand) {
    await insertRefund(transaction, now, { ...row, state: 'refunded', byHand: 1 });
    await endRefund(transaction, services, row, PAYMENT_EMAILS.returnedByHand);
    await closePayment(transaction, services, payment);
  } else {
    await insertRefund(transaction, now, { ...row, state: 'refunding', requested: 1 });
    const due = q.updateTable('payments').set({ nextPollAt: now, polledAt: null });
    await transaction.run(due.where('reference', '=', reference));
  }
  return undefined;
}

/** Emails the customer that a refund was made. Its return is done. */
async function endRefund(
  transaction: Transaction,
  services: OutboxServices,
  { key, reference, paise }: Pick<Refund, 'key' | 'reference' | 'paise'>,
  email: typeof PAYMENT_EMAILS.returned,
): Promise<void> {
  await queueEmail(transaction, services, email, reference, { paise });
  const ended = q.selectFrom('refunds').select('returnId').where('key', '=', key);
  const done = q.updateTable('returns').set({ state: 'refunded', changedAt: services.clock() });
  await transaction.run(done.where('id', '=', ended));
}

/** Whether the refund of a return failed, and no other is on its way. */
const isFailedReturn = ({ returnId }: Refund, refunds: readonly Refund[]): boolean =>
  returnId !== null &&
  refunds.every((other) => other.returnId !== returnId || other.state === 'refund_failed');

/** A failed refund needs no attention any more once it was tried again, or the money went back in another way. */
const supersedeFailed = (transaction: Transaction, reference: string, paise: Paise): Promise<number> =>
  transaction.run(
    q
      .updateTable('refunds')
      .set({ noted: 1 })
      .where('reference', '=', reference)
      .where('state', '=', 'refund_failed')
      .where('paise', '<=', paise),
  );

/** Marks news of the provider as seen, and a wrong amount as resolved. Returns false if there was nothing to resolve. */
export async function resolvePayment(
  transaction: Transaction,
  { reference, state }: Payment,
  resolution: { resolvedAt: number; resolvedBy: string; note: string },
): Promise<boolean> {
  const seen = q.updateTable('refunds').set({ noted: 1 }).where('reference', '=', reference);
  const news = await transaction.run(seen.where('noted', '=', 0));
  if (state !== 'flagged') return news > 0;
  const resolved = q.updateTable('payments').set(resolution).where('reference', '=', reference);
  return (await transaction.run(resolved.where('resolvedAt', 'is', null))) + news > 0;
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
    await closePayment(transaction, services, payment);
  }
  return payments.filter(({ state }) => state === 'paid').length;
}

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
  const ended = payments.filter(({ changedAt }) => changedAt >= since);
  const refunds = await refundsOf(transaction, ended);
  const isBack = (refund: Refund) => refund.state === 'refunding' || isReturned(refund);
  if (refunds.some((refund) => isBack(refund) && refund.createdAt >= since)) return false;
  for (const payment of ended) {
    const before = payment.events.at(-2)?.state;
    if (payment.state === 'refund_due' && before === 'paid')
      await changePayment(transaction, services, payment, 'paid');
    if (payment.state === 'failed' && before === undefined && payment.provider === CASH_NAME)
      await changePayment(transaction, services, payment, 'to_collect');
  }
  return true;
}

/**
 * Stores a refund or a dispute that the provider reports, or its change. Owners learn of what they have to look at: what
 * was done at the provider, a failure, and a dispute unless they have answered and the bank looks at it.
 */
async function storeReported(
  transaction: Transaction,
  services: OutboxServices,
  { reference, provider }: Payment,
  who: string,
  own: Refund | undefined,
  { key, paise = 0, state, text = '', respondBy = null }: ReportedRefund,
): Promise<void> {
  const now = services.clock();
  const isCase = isDispute({ state });
  const hasFailed = state === 'refund_failed';
  const isNews = isCase ? state !== 'under_review' : !own || hasFailed;
  const wasSeen = isCase || own?.state === 'refund_failed' ? 1 : own?.noted;
  const set = {
    state,
    changedAt: now,
    noted: isNews ? 0 : wasSeen,
    ...(isCase ? { paise, respondBy, reason: text } : { words: hasFailed ? text : '' }),
  };
  if (own) await transaction.run(q.updateTable('refunds').set(set).where('key', '=', key));
  else {
    const row = { key, reference, paise, who, reason: `Made at ${who}`, ...set };
    if (!(await insertRefund(transaction, now, row))) return;
    if (!isCase) await supersedeFailed(transaction, reference, paise);
  }
  if (isNews) await notifyOwners(transaction, services, reference);
  const email = provider === CASH_NAME ? PAYMENT_EMAILS.returnedByHand : PAYMENT_EMAILS.returned;
  if (state === 'refunded') await endRefund(transaction, services, { key, reference, paise }, email);
}

/**
 * Stores the refunds and disputes in a report. The caller has locked the payment. Repeated reports change nothing.
 * @param who the title of the provider
 */
export async function storeReportedRefunds(
  transaction: Transaction,
  services: OutboxServices,
  payment: Payment,
  who: string,
  { refunds = [], isPolled = false }: PaymentReport,
): Promise<void> {
  if (refunds.length === 0) return;
  const known = await refundsOf(transaction, [payment]);
  for (const refund of refunds) {
    const own = known.find(({ key }) => key === refund.key);
    if (refund.key === '' || refund.paise === undefined) continue;
    // A webhook may come late: only the answer to a poll changes again what was decided.
    const isFinal = own && own.state !== 'refunding' && !isOpenDispute(own) && !isPolled;
    const isSame =
      own?.state === refund.state &&
      (!isDispute(own) || (own.paise === refund.paise && own.respondBy === (refund.respondBy ?? null)));
    const isLate = own && refund.state === 'refunding';
    if (!isFinal && !isSame && !isLate) await storeReported(transaction, services, payment, who, own, refund);
  }
  await closePayment(transaction, services, payment);
}
