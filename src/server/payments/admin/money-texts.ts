import { formatMoment } from '#domain/date.ts';
import { formatPaise } from '#domain/money.ts';
import { statusText } from '#server/admin/order-status.ts';
import { ADJUSTMENT_NAMES, wayName } from '#server/ledger/labels.ts';
import {
  type Adjustment,
  isFailed,
  isOpenDispute,
  isReversed,
  type Movement,
  unreversed,
} from '#server/ledger/movements.ts';
import type { StoredOrder } from '#server/orders/stored-orders.ts';
import { DAY, isoTime } from '#server/process/clock.ts';

/** After so long a refund that is on its way is a task, in ms. */
export const REFUND_LATE_AFTER = 3 * DAY;

const STATES: Readonly<Record<Movement['kind'], Readonly<Partial<Record<Movement['state'], string>>>>> = {
  payment: { done: 'Payment' },
  refund: { requested: 'Refund in progress', done: 'Refunded', failed: 'Refund failed' },
  dispute: { open: 'In dispute', answered: 'In dispute', won: 'Dispute won', lost: 'Dispute lost' },
};

/** Such as 'Refund failed'. */
export const movementName = ({ kind, state, reverses }: Movement): string =>
  reverses === null
    ? (STATES[kind][state] ?? kind)
    : `Undone: ${(STATES[kind].done ?? STATES[kind].lost ?? kind).toLowerCase()}`;

/** Such as 'Undone: Waived'. */
export const adjustmentName = ({ kind, reverses }: Adjustment): string =>
  `${reverses === null ? '' : 'Undone: '}${ADJUSTMENT_NAMES[kind].en}`;

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
  const failed = unreversed(movements)
    .filter(isFailed)
    .reduce((sum, { paise }) => sum + paise, 0);
  const due = order.toRefundPaise - failed;
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
