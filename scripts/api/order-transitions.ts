import { STATUS } from '#domain/order.ts';

const { pending, processing, shipped, delivered, cancelled } = STATUS;

/** What the shop's staff can do with an order: in which statuses, and which status follows. */
export const TRANSITIONS = {
  process: { from: [pending], to: processing },
  ship: { from: [processing], to: shipped },
  deliver: { from: [shipped], to: delivered },
  cancel: { from: [pending, processing], to: cancelled },
} as const satisfies Record<string, { from: readonly number[]; to: number }>;

export type Transition = keyof typeof TRANSITIONS;

export const isTransition = (name: string): name is Transition => Object.hasOwn(TRANSITIONS, name);

/** The status that follows, or undefined where an order of this status does not allow the transition. */
export function statusAfter(transition: Transition, status: number): number | undefined {
  const { from, to } = TRANSITIONS[transition];
  return from.some((allowed) => allowed === status) ? to : undefined;
}
