import * as v from 'valibot';
import { PAID_ORDER, STATUSES } from '#domain/order-status.ts';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { adjustmentsOf, type Movement, movementsOf, sumsOf, unreversed } from '#server/ledger/movements.ts';
import { ordersByNumber } from '#server/orders/stored-orders.ts';
import { allRows } from '#tests/server/support/rows.ts';
import type { FakeProvider } from '#tests/support/providers/fake-provider.ts';
import type { Verdict } from '#tests/torture/reconcile.ts';

const AttemptSchema = v.object({ reference: v.string(), orderNumber: v.number(), amountPaise: v.number() });

const ATTEMPTS = `SELECT reference, order_number AS "orderNumber", amount_paise AS "amountPaise"
  FROM payment_attempts`;

const sum = (rows: readonly Pick<Movement, 'paise'>[]): number =>
  rows.reduce((all, { paise }) => all + paise, 0);

/** Compares the provider's records with the shop's rows, and these with the sums of the orders. */
export async function reconcilePayments(db: Reader, provider: FakeProvider): Promise<Verdict> {
  const attempts = await allRows(db, AttemptSchema, ATTEMPTS);
  const numbers = (await db.rows(q.selectFrom('orders').select('number'))).map(({ number }) => number);
  const movements = unreversed(await movementsOf(db, ...numbers));
  const adjustments = await adjustmentsOf(db, ...numbers);
  const orders = await ordersByNumber(db, numbers);
  const rows = attempts.map(({ reference, ...attempt }) => {
    const own = movements.filter((row) => row.attempt === reference);
    const payments = own.filter(({ kind }) => kind === 'payment');
    const refunds = own.filter(({ kind }) => kind === 'refund');
    return {
      ...attempt,
      payments,
      refunds,
      paidThere: provider.paid(reference).reduce((all, paise) => all + paise, 0),
      refundedThere: provider.refunded(reference),
    };
  });
  const known = new Set(attempts.map(({ reference }) => reference));
  const count = (isSo: (row: (typeof rows)[number]) => boolean): number => rows.filter(isSo).length;
  const countOrders = (isSo: (order: (typeof orders)[number]) => boolean): number =>
    orders.filter(isSo).length;
  const isPending = ({ state }: Movement): boolean => state === 'requested';
  const isDone = ({ state }: Movement): boolean => state === 'done';
  return {
    counted: {
      'payments recorded': attempts.length,
      'payments paid at the provider': count(({ paidThere }) => paidThere > 0),
    },
    wrong: {
      'payments recorded twice': count(({ payments }) => payments.length > 1),
      'paid, but not recorded as paid': count((row) => row.paidThere > 0 && row.payments.length === 0),
      'recorded as paid, but not paid': count((row) => row.paidThere === 0 && row.payments.length > 0),
      'recorded with another amount': count((row) => row.paidThere !== sum(row.payments)),
      'paid in full but to review, or the other way round': count(
        ({ payments, paidThere, amountPaise }) =>
          paidThere > 0 && (paidThere === amountPaise) === payments.some((row) => row.needsReview === 1),
      ),
      'paid orders that are not sent': countOrders(
        (order) => order.toPayPaise === 0 && order.heldPaise > 0 && order.status === STATUSES.pending.code,
      ),
      'orders that are sent and not paid': countOrders(
        (order) => order.status === PAID_ORDER && order.receivedPaise === 0,
      ),
      'payments at the provider that are not recorded': provider
        .references()
        .filter((reference) => !known.has(reference)).length,
      'refunded more than paid': count((row) => row.refundedThere > row.paidThere),
      'refunded otherwise than recorded': count(
        (row) => row.refundedThere !== sum(row.refunds.filter(isDone)),
      ),
      'refunds that never ended': count((row) => row.refunds.some(isPending)),
      'second and late payments that were not refunded': countOrders(
        (order) => order.money === 'refund_due' && order.status !== STATUSES.cancelled.code,
      ),
      'orders whose sums are not those of their rows': countOrders((order) => {
        const own = sumsOf(
          movements.filter(({ orderNumber }) => orderNumber === order.number),
          adjustments.filter(({ orderNumber }) => orderNumber === order.number),
        );
        return own.receivedPaise !== order.receivedPaise || own.returnedPaise !== order.returnedPaise;
      }),
    },
  };
}
