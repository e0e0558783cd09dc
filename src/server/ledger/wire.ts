import { languageOf } from '#domain/language.ts';
import { type Paise, toRupees } from '#domain/money.ts';
import type { RefundState } from '#domain/order-history.ts';
import { hasEnded } from '#server/admin/order-status.ts';
import type { Reader } from '#server/db/database.ts';
import type { StoredOrder } from '#server/orders/stored-orders.ts';
import { isoTime } from '#server/process/clock.ts';
import { ADJUSTMENT_NAMES } from './labels.ts';
import {
  type Adjustment,
  adjustmentsOf,
  failedPaise,
  hasMoved,
  isFailed,
  type Movement,
  movementsOf,
  unreversed,
} from './movements.ts';

const toRefundDto = (paise: Paise, state: RefundState, at: number) => ({
  amount: toRupees(paise),
  state,
  at: isoTime(at),
});

function stateOf(row: Movement): RefundState | undefined {
  if (row.state === 'requested') return 'refunding';
  if (hasMoved(row)) return 'refunded';
  return isFailed(row) ? 'refund_failed' : undefined;
}

/** What the customer sees of the money that goes back: neither open disputes nor a failed refund that was dealt with. */
function refundsOf(
  { toRefundPaise, events, createdAt }: StoredOrder,
  movements: readonly Movement[],
  adjustments: readonly Adjustment[],
) {
  const shown = unreversed(movements).flatMap((row) => {
    const state = row.kind === 'payment' ? undefined : stateOf(row);
    return state ? [toRefundDto(row.paise, state, row.changedAt)] : [];
  });
  const due = toRefundPaise - failedPaise(movements);
  const changes = [...movements, ...adjustments].map(({ recordedAt }) => recordedAt);
  const newest = Math.max(createdAt, events.at(-1)?.at ?? 0, ...changes);
  return due > 0 ? [...shown, toRefundDto(due, 'refund_due', newest)] : shown;
}

/** What the customer sees below the total. What an order gave back before it ended says nothing about what it owes. */
function adjustmentDtos({ status, language }: StoredOrder, adjustments: readonly Adjustment[]) {
  const shown = unreversed(adjustments).filter(({ kind }) => (kind === 'kept') === hasEnded(status));
  return shown.map(({ kind, paise, reason, recordedAt }) => {
    const name = ADJUSTMENT_NAMES[kind][languageOf(language)];
    return {
      amount: toRupees(paise),
      name: kind === 'lowered' && reason ? `${name}: ${reason}` : name,
      at: isoTime(recordedAt),
    };
  });
}

/** What the API says of the money of orders, by their numbers. Most have only sums. */
export async function moneyDtos(db: Reader, orders: readonly StoredOrder[]) {
  const withRows = orders.filter(
    ({ returnedPaise, refundingPaise, adjustedPaise, keptPaise, toRefundPaise }) =>
      returnedPaise + refundingPaise + toRefundPaise > 0 || adjustedPaise !== 0 || keptPaise !== 0,
  );
  const numbers = withRows.map(({ number }) => number);
  const movements = Map.groupBy(await movementsOf(db, ...numbers), ({ orderNumber }) => orderNumber);
  const adjustments = Map.groupBy(await adjustmentsOf(db, ...numbers), ({ orderNumber }) => orderNumber);
  return new Map(
    orders.map((order) => {
      const own = adjustments.get(order.number) ?? [];
      const refunds = refundsOf(order, movements.get(order.number) ?? [], own);
      const less = adjustmentDtos(order, own);
      return [
        order.number,
        {
          refunds: refunds.length > 0 ? refunds : undefined,
          paid: toRupees(order.heldPaise),
          due: toRupees(order.toPayPaise),
          payOnDelivery: order.paidAtDoor === 1,
          adjustments: less.length > 0 ? less : undefined,
        },
      ];
    }),
  );
}
