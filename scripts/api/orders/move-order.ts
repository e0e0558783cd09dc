import { statusBadge } from '#domain/order.ts';
import type { Transaction } from '#scripts/api/db/database.ts';
import type { LogEntry } from '#scripts/api/office/change-log.ts';
import { endPayments } from '#scripts/api/payments/refunds.ts';
import { lockPaymentsOf } from '#scripts/api/payments/stored-payments.ts';
import type { Clock } from '#scripts/program/clock.ts';
import { statusAfter, TRANSITIONS, type Transition } from './moves.ts';
import { lockOrder, type StoredOrder } from './stored-orders.ts';

export interface Move {
  readonly id: string;
  readonly transition: Transition;
  /** Only for `ship`; '' is none. */
  readonly tracking?: string;
}

export type Moved =
  | { readonly isDone: true; readonly order: StoredOrder; readonly status: number }
  /** `reason` follows the order's name: 'is Pending; to ship it must be Processing'. */
  | { readonly isDone: false; readonly order: StoredOrder; readonly reason: string };

const label = (status: number): string => statusBadge(status).label;

/** In the past tense, for the log. */
const ACTIONS: Readonly<Record<Transition, string>> = {
  process: 'processed',
  ship: 'shipped',
  deliver: 'delivered',
  cancel: 'cancelled',
};

/**
 * Moves an order to its next status, if its present one allows that, and writes the log. The office and `npm run orders`
 * both use it. A paid payment of a cancelled order becomes `refund_due` (faults 109). Undefined where there is no such
 * order.
 */
export async function moveOrder(
  transaction: Transaction,
  clock: Clock,
  { id, transition, tracking = '' }: Move,
  log: (entry: LogEntry) => Promise<void>,
): Promise<Moved | undefined> {
  // A report of the gateway locks the payment and then its order. The same order of locks here avoids deadlocks.
  if (transition === 'cancel') await lockPaymentsOf(transaction, id);
  const order = await lockOrder(transaction, id);
  if (!order) return undefined;
  const status = statusAfter(transition, order.status);
  if (status === undefined) {
    const from = TRANSITIONS[transition].from.map(label).join(' or ');
    return {
      isDone: false,
      order,
      reason: `is ${label(order.status)}; to ${transition} it must be ${from}`,
    };
  }
  await transaction.run('UPDATE orders SET status = ? WHERE number = ?', status, order.number);
  if (tracking) {
    await transaction.run('UPDATE orders SET tracking = ? WHERE number = ?', tracking, order.number);
  }
  const refunds = transition === 'cancel' ? await endPayments(transaction, order.number, clock()) : 0;
  await log({
    action: ACTIONS[transition],
    target: ['order', order.id],
    from: { status: label(order.status) },
    to: {
      status: label(status),
      ...(tracking ? { tracking } : {}),
      ...(refunds > 0 ? { payment: 'refund due' } : {}),
    },
  });
  return { isDone: true, order, status };
}
