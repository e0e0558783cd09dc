import * as v from 'valibot';
import { PAID_ORDER, STATUSES } from '#domain/order-status.ts';
import type { Reader } from '#server/db/database.ts';
import { allRows } from '#tests/server/support/rows.ts';
import type { FakeProvider } from '#tests/support/providers/fake-provider.ts';
import type { Verdict } from '#tests/torture/reconcile.ts';

const RowSchema = v.object({
  reference: v.string(),
  orderNumber: v.number(),
  orderStatus: v.number(),
  state: v.string(),
  amountPaise: v.number(),
  wasPaid: v.number(),
  back: v.number(),
  underWay: v.number(),
});

/** Every payment with its order, its refunded sum and its pending refunds. */
const ROWS = `SELECT payments.reference AS reference, order_number AS "orderNumber", orders.status AS "orderStatus",
  payments.state AS state, payments.amount_paise AS "amountPaise",
  CASE WHEN payments.events LIKE '%"state":"paid"%' THEN 1 ELSE 0 END AS "wasPaid",
  CAST(COALESCE((SELECT SUM(paise) FROM refunds WHERE refunds.reference = payments.reference AND refunds.state = 'refunded'), 0) AS BIGINT) AS back,
  (SELECT COUNT(*) FROM refunds WHERE refunds.reference = payments.reference AND refunds.state = 'refunding') AS "underWay"
  FROM payments JOIN orders ON orders.number = order_number`;

/** The states after the money was received. */
const RECEIVED = ['paid', 'refund_due', 'refunded'];

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

/** Compares the provider's records with the shop's. */
export async function reconcilePayments(db: Reader, provider: FakeProvider): Promise<Verdict> {
  const rows = await allRows(db, RowSchema, ROWS);
  const recorded = new Set(rows.map(({ reference }) => reference));
  const count = (isSo: (row: (typeof rows)[number]) => boolean): number => rows.filter(isSo).length;
  const paidThere = ({ reference }: { reference: string }) => sum(provider.paid(reference));
  type Payments = readonly (typeof rows)[number][];
  const byOrder: readonly Payments[] = [...Map.groupBy(rows, ({ orderNumber }) => orderNumber).values()];
  const countOrders = (isSo: (payments: Payments) => boolean): number => byOrder.filter(isSo).length;
  const paidTimes = (payments: Payments): number => payments.filter(({ state }) => state === 'paid').length;
  /** A payment that paid for its order may have been refunded since. */
  const wasPaidTimes = (payments: Payments): number => payments.filter(({ wasPaid }) => wasPaid === 1).length;
  const isSent = (payments: Payments): boolean =>
    payments.some(({ orderStatus }) => orderStatus === PAID_ORDER);
  return {
    counted: {
      'payments recorded': rows.length,
      'payments paid at the provider': count((row) => paidThere(row) > 0),
    },
    wrong: {
      'orders paid twice': countOrders((payments) => wasPaidTimes(payments) > 1),
      'paid, but not recorded as paid': count(
        (row) => paidThere(row) > 0 && !['flagged', ...RECEIVED].includes(row.state),
      ),
      'recorded as paid, but not paid': count((row) => paidThere(row) === 0 && RECEIVED.includes(row.state)),
      'paid in full but flagged, or recorded with another amount': count(
        (row) => paidThere(row) > 0 && (paidThere(row) === row.amountPaise) !== (row.state !== 'flagged'),
      ),
      'paid orders that are not sent': countOrders(
        (payments) => paidTimes(payments) > 0 && !isSent(payments),
      ),
      'orders that are sent and not paid': countOrders(
        (payments) => isSent(payments) && wasPaidTimes(payments) === 0,
      ),
      'payments at the provider that are not recorded': provider
        .references()
        .filter((reference) => !recorded.has(reference)).length,
      'refunded more than paid': count((row) => provider.refunded(row.reference) > paidThere(row)),
      'refunded otherwise than recorded': count((row) => provider.refunded(row.reference) !== row.back),
      'refunds that never ended': count(({ underWay }) => underWay > 0),
      'second and late payments that were not refunded': count(
        (row) => row.state === 'refund_due' && row.orderStatus !== STATUSES.cancelled.code,
      ),
    },
  };
}
