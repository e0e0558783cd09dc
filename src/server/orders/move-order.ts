import { trackingText } from '#domain/order.ts';
import { CANCELLABLE, STATUSES, type StatusName, statusOf } from '#domain/order-status.ts';
import type { Transaction } from '#server/db/database.ts';
import { type Post, queueLetter } from '#server/email/outbox.ts';
import type { ChangeEntry } from '#server/admin/change-log.ts';
import { setStatus } from '#server/payments/payable.ts';
import { endPayments } from '#server/payments/refunds.ts';
import { lockPaymentsOf } from '#server/payments/stored-payments.ts';
import { ORDER_LETTERS } from './letters.ts';
import { lockOrder, type StoredOrder, sentTracking, setTracking } from './stored-orders.ts';

interface MoveRow {
  readonly from: readonly StatusName[];
  readonly to: StatusName;
  readonly button: string;
  /** In the past tense, for the log. */
  readonly done: string;
  /** Whether a tracking number may be given with it. */
  readonly asksTracking?: true;
  /** What the shopper is written. */
  readonly letter?: keyof typeof ORDER_LETTERS;
  /** Whether the staff must say yes on a page of its own. It cannot be done with several orders at once. */
  readonly asksFirst?: true;
}

/** What the shop's staff can do with an order. A new move is a line here, and has its button, path and command by that. */
export const MOVES = {
  process: { from: ['pending'], to: 'processing', button: 'Mark as processing', done: 'processed' },
  ship: {
    from: ['processing'],
    to: 'shipped',
    button: 'Mark as shipped',
    done: 'shipped',
    asksTracking: true,
    letter: 'shipped',
  },
  deliver: {
    from: ['shipped'],
    to: 'delivered',
    button: 'Mark as delivered',
    done: 'delivered',
    letter: 'delivered',
  },
  cancel: {
    from: CANCELLABLE,
    to: 'cancelled',
    button: 'Cancel this order',
    done: 'cancelled',
    asksFirst: true,
    letter: 'cancelled',
  },
} as const satisfies Record<string, MoveRow>;

export type Move = keyof typeof MOVES;

export const MOVE_NAMES = Object.keys(MOVES).filter((name): name is Move => name in MOVES);

export const moveRow = (move: Move): MoveRow => MOVES[move];

export const isMove = (name: unknown): name is Move => MOVE_NAMES.some((move) => move === name);

/** Whether an order of this status allows the move. */
export const allows = (status: number, move: Move): boolean =>
  moveRow(move).from.some((name) => STATUSES[name].wire === status);

/** The moves that ask nothing first: those of an order of this status, or all of them. */
export const plainMoves = (status?: number): Move[] =>
  MOVE_NAMES.filter((move) => !moveRow(move).asksFirst && (status === undefined || allows(status, move)));

export interface OrderMove {
  readonly id: string;
  readonly move: Move;
  /** '' is none. */
  readonly tracking?: string;
  /** As stored: see `carrierWord`. '' is none. */
  readonly carrier?: string;
  /** What the shopper is written, where it is not what the move says. */
  readonly letter?: keyof typeof ORDER_LETTERS;
}

export type Moved =
  /** `refunds` is how many payments became `refund_due`. */
  | { readonly isDone: true; readonly order: StoredOrder; readonly status: number; readonly refunds: number }
  /** `reason` follows the order's name: 'is Pending; to ship it must be Processing'. */
  | { readonly isDone: false; readonly order: StoredOrder; readonly reason: string };

const label = (status: number): string => statusOf(status).label;

/**
 * Moves an order to its next status, if its present one allows that, and writes the log. A paid payment of a cancelled
 * order becomes `refund_due`. Undefined where there is no such order.
 */
export async function moveOrder(
  transaction: Transaction,
  post: Post,
  { id, move, tracking = '', carrier = '', letter = moveRow(move).letter }: OrderMove,
  log: (entry: ChangeEntry) => Promise<void>,
): Promise<Moved | undefined> {
  // A report of the gateway locks the payment and then its order. The same order of locks here avoids deadlocks.
  const { from, to, done } = moveRow(move);
  const { wire: status, paysBack }: { wire: number; paysBack?: true } = STATUSES[to];
  if (paysBack) await lockPaymentsOf(transaction, id);
  const order = await lockOrder(transaction, id);
  if (!order) return undefined;
  if (!allows(order.status, move)) {
    const needed = from.map((name) => STATUSES[name].label).join(' or ');
    return { isDone: false, order, reason: `is ${label(order.status)}; to ${move} it must be ${needed}` };
  }
  // Somebody may have begun to pay before the order was locked. From now on nobody does.
  const payments = paysBack ? await lockPaymentsOf(transaction, id) : [];
  const now = post.clock();
  await setStatus(transaction, order.number, status, now);
  if (tracking) await setTracking(transaction, order.number, { tracking, carrier });
  const parcel = sentTracking({ tracking, carrier });
  const refunds = await endPayments(transaction, post, payments);
  if (letter) await queueLetter(transaction, post, ORDER_LETTERS[letter], order.id);
  await log({
    action: done,
    target: ['order', order.id],
    from: { status: label(order.status) },
    to: {
      status: label(status),
      ...(parcel ? { tracking: trackingText(parcel) } : {}),
      ...(refunds > 0 ? { payment: 'refund due' } : {}),
    },
  });
  return { isDone: true, order, status, refunds };
}
