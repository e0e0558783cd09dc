import { STATUS } from '#domain/order.ts';

const { pending, processing, shipped, delivered, cancelled } = STATUS;

/** What the shop's people may do with an order: from which statuses, and to which. */
export const MOVES = {
  process: { from: [pending], to: processing },
  ship: { from: [processing], to: shipped },
  deliver: { from: [shipped], to: delivered },
  cancel: { from: [pending, processing], to: cancelled },
} as const satisfies Record<string, { from: readonly number[]; to: number }>;

export type Move = keyof typeof MOVES;

export const isMove = (name: string): name is Move => Object.hasOwn(MOVES, name);

/** The status after the move, or undefined where the order is not in a status that allows it. */
export function statusAfter(move: Move, status: number): number | undefined {
  const { from, to } = MOVES[move];
  return from.some((allowed) => allowed === status) ? to : undefined;
}
