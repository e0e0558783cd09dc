import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { formatPaise, plainAmount } from '#domain/money.ts';
import { statusOf } from '#domain/order-status.ts';
import { appendedTo } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { literals, q, type RowOf } from '#server/db/query.ts';
import { isProblem, PAYMENT_STATES, type PaymentState } from '#server/payments/payment-state.ts';

const RECORD = q
  .selectFrom('payments')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .leftJoin('paymentReports', 'paymentReports.reference', 'payments.reference')
  .leftJoin('paymentsResolved', 'paymentsResolved.reference', 'payments.reference')
  .select([
    'payments.reference',
    'orders.id as orderId',
    'orders.status as orderStatus',
    'provider',
    'method',
  ])
  .select(['state', 'payments.amountPaise', 'payments.createdAt', 'changedAt', 'payments.events'])
  .select(['paymentReports.amountPaise as reportedPaise', 'paymentReports.currency as reportedCurrency'])
  .select(['paymentsResolved.at as resolvedAt', 'paymentsResolved.who as resolvedBy', 'note']);

/** When it reached each state after its first. */
const RECORD_JSON = { events: appendedTo(v.object({ state: v.picklist(PAYMENT_STATES), at: v.number() })) };

/** A payment with its report, and its resolution if its amount was wrong. */
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

/** The longest waiting first. */
export const paymentsNeedingAttention = (db: Reader, most: number): Promise<PaymentRecord[]> =>
  db.rows(TO_RESOLVE.orderBy('changedAt').orderBy('payments.reference').limit(most), RECORD_JSON);

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

function reportedText({ reportedPaise, reportedCurrency }: PaymentRecord): string {
  if (reportedCurrency === null) return 'What was reported is not known.';
  if (reportedPaise === null) return 'The amount that was reported cannot be read.';
  if (reportedCurrency === CURRENCY.code) return `${formatPaise(reportedPaise)} was reported.`;
  return `${plainAmount(reportedPaise)} ${reportedCurrency || 'without a currency'} was reported.`;
}

/** Why a payment needs attention. */
export function attentionText(record: PaymentRecord): string {
  const amount = formatPaise(record.amountPaise);
  if (record.state === 'flagged') return `${amount} was expected. ${reportedText(record)}`;
  return `${amount} was paid and must be refunded: the order is ${statusOf(record.orderStatus).label}.`;
}
