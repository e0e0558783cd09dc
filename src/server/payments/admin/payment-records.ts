import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { formatMoment } from '#domain/date.ts';
import { formatPaise, plainAmount } from '#domain/money.ts';
import { appendedTo } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { literals, q, type RowOf } from '#server/db/query.ts';
import { SHOWN_NUMBER } from '#server/payments/payable.ts';
import { isProblem, PAYMENT_STATES, type PaymentState } from '#server/payments/payment-state.ts';
import {
  type Dispute,
  disputesOf,
  isOpenDispute,
  type Refund,
  receivedPaise,
} from '#server/payments/stored-refunds.ts';
import { isoTime } from '#server/process/clock.ts';
import { standing } from '#server/services/order-status.ts';

const RECORD = q
  .selectFrom('payments')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .leftJoin('paymentsResolved', 'paymentsResolved.reference', 'payments.reference')
  .select(SHOWN_NUMBER)
  .select([
    'payments.reference',
    'orders.id as orderId',
    'orders.status as orderStatus',
    'provider',
    'method',
  ])
  .select(['state', 'payments.amountPaise', 'payments.createdAt', 'changedAt', 'payments.events'])
  .select(['receivedPaise', 'receivedCurrency', 'payments.words', 'orderNumber'])
  .select(['paymentsResolved.at as resolvedAt', 'paymentsResolved.who as resolvedBy', 'note']);

/** When it reached each state after its first. */
const RECORD_JSON = { events: appendedTo(v.object({ state: v.picklist(PAYMENT_STATES), at: v.number() })) };

/** A payment with what came, and its resolution if its amount was wrong. */
export type PaymentRecord = RowOf<typeof RECORD, typeof RECORD_JSON>;

/** Oldest first. */
export function paymentsOf(db: Reader, orderNumber: number): Promise<PaymentRecord[]> {
  const own = RECORD.where('orders.number', '=', orderNumber);
  return db.rows(own.orderBy('payments.createdAt').orderBy('payments.reference'), RECORD_JSON);
}

export const findPaymentRecord = (db: Reader, reference: string): Promise<PaymentRecord | undefined> =>
  db.row(RECORD.where('payments.reference', '=', reference), RECORD_JSON);

export const needsAttention = ({ state, resolvedAt }: PaymentRecord): boolean =>
  isProblem(state) && resolvedAt === null;

const TO_RESOLVE = RECORD.where('state', 'in', literals('flagged', 'refund_due'))
  .where('paymentsResolved.reference', 'is', null)
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

const UNSEEN_REFUNDS = q.selectFrom('refunds').select('reference').where('noted', '=', 0);
const UNSEEN_DISPUTES = q.selectFrom('disputes').select('reference').where('noted', '=', 0);

/** The longest waiting first: those to resolve, and those with a refund or dispute that the staff have not noted. */
export async function paymentsNeedingAttention(db: Reader, most: number): Promise<PaymentRecord[]> {
  const unseen = RECORD.where('payments.reference', 'in', UNSEEN_REFUNDS.union(UNSEEN_DISPUTES));
  const found = await Promise.all(
    [TO_RESOLVE, unseen].map((due) =>
      db.rows(due.orderBy('changedAt').orderBy('payments.reference').limit(most), RECORD_JSON),
    ),
  );
  const byReference = new Map(found.flat().map((record) => [record.reference, record]));
  return [...byReference.values()].toSorted((one, other) => one.changedAt - other.changedAt).slice(0, most);
}

/** Marks the refunds and disputes of a payment as seen by the staff. Returns how many were not. */
export async function noteNews(transaction: Transaction, reference: string): Promise<number> {
  const [refunds, disputes] = [
    q.updateTable('refunds').set({ noted: 1 }).where('reference', '=', reference).where('noted', '=', 0),
    q.updateTable('disputes').set({ noted: 1 }).where('reference', '=', reference).where('noted', '=', 0),
  ];
  return (await transaction.run(refunds)) + (await transaction.run(disputes));
}

/** Returns undefined if the payment needs no attention. */
export const findPaymentNeedingAttention = (
  db: Reader,
  reference: string,
): Promise<PaymentRecord | undefined> =>
  db.row(TO_RESOLVE.where('payments.reference', '=', reference), RECORD_JSON);

/** Marks a wrong amount as resolved. Returns false if that was done before. */
export async function storeResolution(
  transaction: Transaction,
  resolution: { reference: string; at: number; who: string; note: string },
): Promise<boolean> {
  const insert = q.insertInto('paymentsResolved').values(resolution);
  return (await transaction.run(insert.onConflict((row) => row.column('reference').doNothing()))) > 0;
}

export const STATE_NAMES: Readonly<Record<PaymentState, string>> = {
  started: 'Started',
  to_collect: 'To be paid at the door',
  failed: 'Failed',
  paid: 'Paid',
  flagged: 'Wrong amount',
  refund_due: 'Refund due',
  refunded: 'Refunded',
};

function reportedText({ receivedPaise: paise, receivedCurrency }: PaymentRecord): string {
  if (paise === null) return 'The amount that was reported cannot be read.';
  if (receivedCurrency === CURRENCY.code) return `${formatPaise(paise)} was reported.`;
  return `${plainAmount(paise)} ${receivedCurrency || 'without a currency'} was reported.`;
}

/** Why a payment needs attention. */
export function attentionText(record: PaymentRecord): string {
  const amount = formatPaise(record.amountPaise);
  if (record.state === 'flagged') return `${amount} was expected. ${reportedText(record)}`;
  return `${amount} was paid and must be refunded: the order ${standing(record.orderStatus)}.`;
}

const DISPUTE_TEXTS: Readonly<Record<Dispute['state'], string>> = {
  open: 'is in dispute: the bank gives it back to the payer unless you answer at the provider',
  under_review: 'is in dispute: the bank looks at your answer',
  won: 'was in dispute, and stays with you: you won',
  lost: 'was in dispute, and the bank took it back: you lost',
  closed: 'was in dispute, which is closed',
};

/** A dispute, as a sentence. */
export function disputeText({ paise, state, reason, respondBy }: Dispute): string {
  const until =
    state === 'open' && respondBy !== null ? ` Answer by ${formatMoment(isoTime(respondBy))}.` : '';
  return `${formatPaise(paise)} ${DISPUTE_TEXTS[state]}${reason ? ` (${reason})` : ''}.${until}`;
}

/** A refund that failed, or was made at the provider. */
export const refundNewsText = ({ paise, state, words, who, reason }: Refund): string =>
  state === 'refund_failed'
    ? `${formatPaise(paise)} could not be refunded (${reason}): ${words.replace(/\.?$/, '.')}`
    : `${formatPaise(paise)} ${state === 'refunded' ? 'was' : 'is being'} refunded at ${who}, not here.`;

/** Why a payment needs attention, and what the staff have still to note of its refunds and disputes. */
export function attentionTexts(
  record: PaymentRecord,
  refunds: readonly Refund[],
  disputes: readonly Dispute[],
): string[] {
  const isUnseen = ({ reference, noted }: Refund | Dispute) => reference === record.reference && noted === 0;
  return [
    ...(needsAttention(record) ? [attentionText(record)] : []),
    ...disputes.filter(isUnseen).map(disputeText),
    ...refunds.filter(isUnseen).map(refundNewsText),
  ];
}

/** What else the staff should know of a payment: the provider's words, a discount, and disputes that were noted. */
export function paymentNotes(record: PaymentRecord, disputes: readonly Dispute[]): string[] {
  const { reference, amountPaise, words, state } = record;
  const discount = state === 'flagged' ? 0 : amountPaise - receivedPaise(record);
  return [
    ...(words ? [`The provider said: ${words}`] : []),
    ...(discount > 0 ? [`${formatPaise(receivedPaise(record))} came: the provider gave a discount.`] : []),
    ...disputes.filter((dispute) => dispute.reference === reference && dispute.noted === 1).map(disputeText),
  ];
}

/** Why an order should not be shipped as if nothing had happened, as sentences. */
export async function shippingWarnings(db: Reader, orderId: string): Promise<string[]> {
  const records = await db.rows(RECORD.where('orders.id', '=', orderId), RECORD_JSON);
  const disputes = await disputesOf(
    db,
    records.map(({ reference }) => reference),
  );
  const has = (...states: readonly PaymentState[]) => records.some(({ state }) => states.includes(state));
  const isRefunded = has('refunded') && !has('paid', 'to_collect');
  return [
    ...disputes.filter((dispute) => isOpenDispute(dispute) || dispute.state === 'lost').map(disputeText),
    ...(isRefunded ? ['What was paid for this order was refunded.'] : []),
  ];
}
