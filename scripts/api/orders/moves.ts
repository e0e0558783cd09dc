import { CANCELLABLE, STATUSES, type StatusName } from '#domain/order-status.ts';
import type { ORDER_LETTERS } from './letters.ts';

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
