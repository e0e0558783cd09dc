import { sql } from 'kysely';
import { formatMoment } from '#domain/date.ts';
import { formatPaise } from '#domain/money.ts';
import { statusText } from '#server/admin/order-status.ts';
import type { Reader } from '#server/db/database.ts';
import { literals, q } from '#server/db/query.ts';
import { wayName } from '#server/ledger/labels.ts';
import {
  failedPaise,
  isOpenDispute,
  isReversed,
  type Movement,
  movementsOf,
  unreversed,
} from '#server/ledger/movements.ts';
import { refundable } from '#server/ledger/refund.ts';
import { findOrder, ordersByNumber, type StoredOrder } from '#server/orders/stored-orders.ts';
import { DAY, isoTime } from '#server/process/clock.ts';

/* What staff should know of the money of an order, as sentences. */

/** After so long a refund that is on its way is a task, in ms. */
const REFUND_LATE_AFTER = 3 * DAY;

const because = (reason: string): string => (reason ? ` (${reason}).` : '.');

/** What the staff should know of a refund or a dispute. It follows the amount. */
function newsText(
  { kind, state, way, note, providerMessage, answerBy }: Movement,
  isUndone: boolean,
): string {
  const who = wayName(way);
  if (isUndone && kind === 'dispute')
    return `was in dispute, and the bank gave it back to you${because(providerMessage)}`;
  if (isUndone) return `was refunded, and the bank gave it back to you: it is to refund again.`;
  if (state === 'failed') return `could not be refunded (${note}): ${providerMessage.replace(/\.?$/, '.')}`;
  if (kind === 'refund') return `${state === 'done' ? 'was' : 'is being'} refunded at ${who}, not here.`;
  const until = answerBy === null ? '' : ` Answer by ${formatMoment(isoTime(answerBy))}.`;
  if (state === 'open')
    return `is in dispute: the bank gives it back to the payer unless you answer at the provider${because(providerMessage)}${until}`;
  if (state === 'answered') return `is in dispute: the bank looks at your answer${because(providerMessage)}`;
  return state === 'won'
    ? `was in dispute, and stays with you${because(providerMessage)}`
    : `was in dispute, and the bank took it back: you lost${because(providerMessage)}`;
}

const newsOf = (row: Movement, movements: readonly Movement[]): string =>
  row.kind === 'payment'
    ? row.note
    : `${formatPaise(row.paise)} ${newsText(row, isReversed(row, movements))}`;

/** Why the money of an order needs attention: what is to refund, what nobody has looked at, and what takes too long. */
export function attentionTexts(order: StoredOrder, movements: readonly Movement[], now: number): string[] {
  const due = order.toRefundPaise - failedPaise(movements);
  const late = unreversed(movements).filter(
    ({ state, recordedAt }) => state === 'requested' && recordedAt <= now - REFUND_LATE_AFTER,
  );
  const isOver = order.owedPaise === 0 && order.status >= 4;
  const why = isOver ? `the order ${statusText(order.status)}.` : 'more was paid than is owed.';
  return [
    ...(due > 0 ? [`${formatPaise(due)} was paid and must be refunded: ${why}`] : []),
    ...movements.filter(({ needsReview }) => needsReview === 1).map((row) => newsOf(row, movements)),
    ...late.map(
      ({ paise, recordedAt }) =>
        `${formatPaise(paise)} is to be refunded for ${Math.floor((now - recordedAt) / DAY)} days, and has not arrived.`,
    ),
  ];
}

/** Whether its parcel would leave without money: only an owner may decide that. */
export const owesBeforeShipping = ({ paidAtDoor, toPayPaise }: StoredOrder): boolean =>
  paidAtDoor === 0 && toPayPaise > 0;

/** Why an order should not be shipped as if nothing had happened, as sentences. */
export function shippingWarnings(order: StoredOrder, movements: readonly Movement[]): string[] {
  const disputes = unreversed(movements).filter((row) => isOpenDispute(row) || row.state === 'lost');
  return [
    ...disputes.map((row) => newsOf(row, movements)),
    ...(order.money === 'refunded' ? ['What was paid for this order was refunded.'] : []),
    ...(owesBeforeShipping(order) ? [`${formatPaise(order.toPayPaise)} of this order is not paid.`] : []),
  ];
}

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
