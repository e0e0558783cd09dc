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

/** The button of each move. */
export const MOVE_BUTTONS: Readonly<Record<Transition, string>> = {
  process: 'Mark as processing',
  ship: 'Mark as shipped',
  deliver: 'Mark as delivered',
  cancel: 'Cancel this order',
};

/** What can be done with an order of this status, without cancelling, which asks first. */
export const stepsFrom = (status: number): Transition[] =>
  STEPS.filter((transition) => TRANSITIONS[transition].from.some((from) => from === status));

/** What can be done with several orders at once. */
export const STEPS = ['process', 'ship', 'deliver'] as const satisfies Transition[];

export const isStep = (name: unknown): name is (typeof STEPS)[number] => STEPS.some((step) => step === name);
