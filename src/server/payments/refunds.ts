import { type Insertable, sql } from 'kysely';
import type { Paise } from '#domain/money.ts';
import { appended } from '#server/db/columns.ts';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import type { PaymentState, Tables } from '#server/db/tables.ts';
import { isUntried, type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { statusOf } from '#server/services/order-status.ts';
import type { Services } from '#server/services/services.ts';
import { queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { OWNER_PAYMENT_EMAILS } from './emails/owner-emails.ts';
import { PAYMENT_EMAILS } from './emails/payment-emails.ts';
import { holdsMoney, isProblem } from './payment-state.ts';
import { nextPoll } from './polling.ts';
import { CASH_NAME } from './providers/cash/cash.ts';
import type { PaymentReport, RefundAnswer, ReportedRefund } from './providers/provider.ts';
import { lockPayment, type Payment } from './stored-payments.ts';
import {
  isDispute,
  isOpenDispute,
  isReturned,
  leftAfter,
  REFUND,
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
  const { paymentAttention } = OWNER_PAYMENT_EMAILS;
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
    const wasPaid = now.events.at(-2)?.state === 'paid' && !statusOf(now.orderStatus).needsRefund;
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
  const rest = { words: '', byHand: 0, createdAt: now, changedAt: now };
  const insert = q.insertInto('refunds').values({ ...rest, ...row });
  return (await transaction.run(insert.onConflict((one) => one.column('key').doNothing()))) > 0;
};

export type RefundRequest = Pick<Refund, 'key' | 'reference' | 'paise' | 'reason' | 'who'> & {
  /** The return that is done once the refund has succeeded. */
  readonly returnId?: string | null;
};

/**
 * Records a refund. Locks the payment, so that two staff members at once never refund more than was received. Returns
 * what is left if the amount is too large, or undefined if it is stored.
 */
export async function storeRefund(
  transaction: Transaction,
  now: number,
  request: RefundRequest,
  isByHand = false,
): Promise<{ readonly left: Paise } | undefined> {
  const { reference, paise } = request;
  const payment = await lockPayment(transaction, reference);
  const refunds = await refundsOf(transaction, [request]);
  const left = payment && holdsMoney(payment.state) ? refundable(payment, refunds) : 0;
  if (paise <= 0 || paise > left) return { left };
  // A refund that is tried again, or made by hand instead, ends the same return.
  const failed = refunds.findLast((each) => isFailedReturn(each, refunds) && each.paise <= paise);
  const { returnId = failed?.returnId ?? null } = request;
  await supersedeFailed(transaction, reference, paise);
  const how = isByHand
    ? ({ state: 'refunded', byHand: 1 } as const)
    : ({ state: 'refunding', nextPollAt: now } as const);
  await insertRefund(transaction, now, { ...request, ...how, returnId });
  if (isByHand) await endReturn(transaction, request.key, now);
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
const supersedeFailed = (transaction: Transaction, reference: string, paise: Paise): Promise<number> =>
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
  const refusal = await storeRefund(transaction, services.clock(), request, true);
  if (refusal) return refusal;
  const { reference, paise } = request;
  await queueEmail(transaction, services, PAYMENT_EMAILS.returnedByHand, reference, { paise });
  await closePayment(transaction, services, request);
  return undefined;
}

/** Marks the refunds and disputes of a payment as seen by the staff. Returns how many were not. */
export const noteNews = (transaction: Transaction, reference: string): Promise<number> =>
  transaction.run(
    q.updateTable('refunds').set({ noted: 1 }).where('reference', '=', reference).where('noted', '=', 0),
  );

/** Marks a wrong amount as resolved. Returns false if that was done before. */
export const storeResolution = async (
  transaction: Transaction,
  reference: string,
  resolution: { resolvedAt: number; resolvedBy: string; note: string },
): Promise<boolean> => {
  const update = q.updateTable('payments').set(resolution).where('reference', '=', reference);
  return (await transaction.run(update.where('resolvedAt', 'is', null))) > 0;
};

/** The refunds to make, or to poll, now. */
export const dueRefunds = (services: Services, most: number): Promise<Refund[]> =>
  services.db.rows(REFUND.where('nextPollAt', '<=', services.clock()).orderBy('nextPollAt').limit(most));

/** Of several processes, one changes the row. If that process dies, the next poll recovers. */
export async function claimRefund({ db, clock }: Services, { key, createdAt }: Refund): Promise<boolean> {
  const set = { nextPollAt: nextPoll(createdAt, clock()) };
  const claim = q.updateTable('refunds').set(set).where('key', '=', key);
  return (await db.write((transaction) => transaction.run(claim.where('nextPollAt', '<=', clock())))) > 0;
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

/** Stores that a refund has ended, queues the emails about it, and ends its return. Returns whether it changed. */
async function changeRefund(
  transaction: Transaction,
  services: OutboxServices,
  {
    key,
    reference,
    paise,
    state: from,
    byHand,
  }: Pick<Refund, 'key' | 'reference' | 'paise' | 'state' | 'byHand'>,
  { state, text = '' }: Pick<ReportedRefund, 'state' | 'text'>,
  email: typeof PAYMENT_EMAILS.returned = PAYMENT_EMAILS.returned,
): Promise<boolean> {
  if (state === from || state === 'refunding' || byHand) return false;
  const hasFailed = state === 'refund_failed';
  const changedAt = services.clock();
  const noted = hasFailed ? { noted: 0 } : from === 'refund_failed' ? { noted: 1 } : {};
  const set = { state, words: hasFailed ? text : '', changedAt, nextPollAt: null, ...noted };
  const update = q.updateTable('refunds').set(set).where('key', '=', key).where('state', '=', from);
  if ((await transaction.run(update)) === 0) return false;
  if (hasFailed) {
    await notifyOwners(transaction, services, reference);
    return true;
  }
  await queueEmail(transaction, services, email, reference, { paise });
  await endReturn(transaction, key, changedAt);
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
    await lockPayment(transaction, reference);
    const email = isByHand ? returnedByHand : returned;
    if (!(await changeRefund(transaction, services, refund, answer, email))) return false;
    await closePayment(transaction, services, refund);
    return true;
  });
  if (!isChanged) return;
  const { state } = answer;
  services.log(state === 'refunded' ? 'info' : 'warn', 'refund changed', { reference, state });
}

/** Stores a refund that was made at the provider, so that it counts like the shop's own. */
async function storeForeignRefund(
  transaction: Transaction,
  services: OutboxServices,
  reference: string,
  who: string,
  { key, paise = 0, ...answer }: ReportedRefund,
): Promise<void> {
  const reason = `Made at ${who}`;
  const row = { key, reference, paise, reason, who, state: 'refunding', byHand: 0, noted: 0 } as const;
  if (!(await insertRefund(transaction, services.clock(), row))) return;
  await supersedeFailed(transaction, reference, paise);
  await notifyOwners(transaction, services, reference);
  await changeRefund(transaction, services, row, answer);
}

/** Stores a dispute, or its change. Owners learn of it unless they have answered, and the bank looks at it. */
async function storeDispute(
  transaction: Transaction,
  services: OutboxServices,
  reference: string,
  who: string,
  { key, paise = 0, state, text: reason = '', respondBy = null }: ReportedRefund,
): Promise<void> {
  const now = services.clock();
  const isNews = state !== 'under_review';
  const set = { paise, state, reason, respondBy, changedAt: now, noted: isNews ? 0 : 1 };
  if (!(await insertRefund(transaction, now, { key, reference, who, ...set }))) {
    const update = q.updateTable('refunds').set(set).where('key', '=', key);
    await transaction.run(update.where('reference', '=', reference));
  }
  if (isNews) await notifyOwners(transaction, services, reference);
}

/**
 * Stores the refunds and disputes in a report. The caller has locked the payment. Repeated reports change nothing.
 * @param title of the provider, as the actor
 */
export async function storeReportedRefunds(
  transaction: Transaction,
  services: OutboxServices,
  payment: Payment,
  title: string,
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
    if (isFinal || isSame) continue;
    if (own && !isDispute(own)) await changeRefund(transaction, services, own, refund);
    else {
      const store = isDispute(refund) ? storeDispute : storeForeignRefund;
      await store(transaction, services, payment.reference, title, refund);
    }
  }
  await closePayment(transaction, services, payment);
}
