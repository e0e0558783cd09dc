import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { formatPaise, plainAmount } from '#domain/money.ts';
import { statusOf } from '#domain/order-status.ts';
import { appendedTo } from '#server/db/columns.ts';
import type { Reader, Transaction, Value } from '#server/db/database.ts';
import { isProblem, PAYMENT_STATES, type PaymentState } from '#server/payments/payment-state.ts';

const RowSchema = v.object({
  reference: v.string(),
  orderId: v.string(),
  orderStatus: v.number(),
  provider: v.string(),
  method: v.string(),
  state: v.picklist(PAYMENT_STATES),
  amountPaise: v.number(),
  createdAt: v.number(),
  changedAt: v.number(),
  /** When it reached each state after its first. */
  events: appendedTo(v.object({ state: v.picklist(PAYMENT_STATES), at: v.number() })),
  reportedPaise: v.nullable(v.number()),
  reportedCurrency: v.nullable(v.string()),
  resolvedAt: v.nullable(v.number()),
  resolvedBy: v.nullable(v.string()),
  note: v.nullable(v.string()),
});

/** A payment with its report, and its resolution if its amount was wrong. */
export type PaymentRecord = v.InferOutput<typeof RowSchema>;

const RECORD = `SELECT payments.reference AS reference, orders.id AS "orderId", orders.status AS "orderStatus", provider, method, state,
  payments.amount_paise AS "amountPaise", payments.created_at AS "createdAt", changed_at AS "changedAt",
  payments.events AS events,
  payment_reports.amount_paise AS "reportedPaise", payment_reports.currency AS "reportedCurrency",
  payments_resolved.at AS "resolvedAt", payments_resolved.who AS "resolvedBy", note
  FROM payments JOIN orders ON orders.number = payments.order_number
  LEFT JOIN payment_reports ON payment_reports.reference = payments.reference
  LEFT JOIN payments_resolved ON payments_resolved.reference = payments.reference`;

const records = (db: Reader, end: string, ...values: readonly Value[]): Promise<PaymentRecord[]> =>
  db.all(RowSchema, `${RECORD} ${end}`, ...values);

/** Oldest first. */
export const paymentsOf = (db: Reader, orderNumber: number): Promise<PaymentRecord[]> =>
  records(db, 'WHERE orders.number = ? ORDER BY payments.created_at, payments.reference', orderNumber);

export const findPaymentRecord = async (db: Reader, reference: string): Promise<PaymentRecord | undefined> =>
  (await records(db, 'WHERE payments.reference = ?', reference))[0];

export const needsAttention = ({ state, resolvedAt }: PaymentRecord): boolean =>
  isProblem(state) && resolvedAt === null;

const NEEDS_ATTENTION = `state IN ('flagged', 'refund_due') AND payments_resolved.reference IS NULL
  AND NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.reference = payments.reference AND refunds.state = 'refunding')`;

/** The longest waiting first. */
export const paymentsNeedingAttention = (db: Reader, most: number): Promise<PaymentRecord[]> =>
  records(db, `WHERE ${NEEDS_ATTENTION} ORDER BY changed_at, payments.reference LIMIT ?`, most);

/** Returns undefined if the payment needs no attention. */
export const findPaymentNeedingAttention = async (
  db: Reader,
  reference: string,
): Promise<PaymentRecord | undefined> =>
  (await records(db, `WHERE payments.reference = ? AND ${NEEDS_ATTENTION}`, reference))[0];

/** Marks a wrong amount as resolved. Returns false if that was done before. */
export async function storeResolution(
  transaction: Transaction,
  { reference, at, who, note }: { reference: string; at: number; who: string; note: string },
): Promise<boolean> {
  const added = await transaction.run(
    'INSERT INTO payments_resolved (reference, at, who, note) VALUES (?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING',
    reference,
    at,
    who,
    note,
  );
  return added > 0;
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
