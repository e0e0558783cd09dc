import { sql } from 'kysely';
import { formatPaise } from '#domain/money.ts';
import type { Reader } from '#server/db/database.ts';
import { literals, q } from '#server/db/query.ts';
import { movementsOf } from '#server/ledger/movements.ts';
import { refundable } from '#server/ledger/refund.ts';
import { findOrder, ordersByNumber } from '#server/orders/stored-orders.ts';
import { attentionTexts, REFUND_LATE_AFTER } from './admin/money-texts.ts';

const REVIEWED = q
  .selectFrom('movements')
  .select('orderNumber')
  .where(sql<boolean>`needs_review = 1`)
  .orderBy('changedAt');

/** The words that may stand before 'Refund due', too. */
const DUE = q
  .selectFrom('orders')
  .select('number as orderNumber')
  .where('money', 'in', literals('refund_due', 'wrong_amount', 'disputed'))
  .where('toRefundPaise', '>', 0)
  .orderBy('number');

const requestedBefore = (at: number) =>
  q
    .selectFrom('movements')
    .select('orderNumber')
    .where('state', 'in', literals('requested'))
    .where('recordedAt', '<=', at)
    .orderBy('recordedAt');

/** What needs attention about the money of an order, in sentences; undefined if nothing does. @param now ms since 1970 */
export async function attentionOf(db: Reader, orderId: string, now: number) {
  const order = await findOrder(db, orderId);
  const movements = order ? await movementsOf(db, order.number) : [];
  const problems = order ? attentionTexts(order, movements, now) : [];
  if (!order || problems.length === 0) return undefined;
  const left = refundable(order, movements);
  const still =
    left === 0
      ? 'Nothing of what was paid is left to refund.'
      : `You still have ${formatPaise(left)} of what was paid that can be refunded.`;
  return { order, texts: [...problems, still] };
}

/** The orders whose money needs attention, the longest waiting first, with their movements. */
export async function ordersNeedingAttention(db: Reader, now: number, max: number) {
  const found = await Promise.all([
    db.rows(REVIEWED.limit(max)),
    db.rows(DUE.limit(max)),
    db.rows(requestedBefore(now - REFUND_LATE_AFTER).limit(max)),
  ]);
  const numbers = [...new Set(found.flat().map(({ orderNumber }) => orderNumber))];
  const movements = Map.groupBy(await movementsOf(db, ...numbers), ({ orderNumber }) => orderNumber);
  const orders = await ordersByNumber(db, numbers);
  return orders
    .map((order) => {
      const own = movements.get(order.number) ?? [];
      return { order, movements: own, since: Math.max(order.createdAt, ...own.map((row) => row.changedAt)) };
    })
    .toSorted((one, other) => one.since - other.since)
    .slice(0, max);
}
