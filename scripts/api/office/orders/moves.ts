import { TRANSITIONS, type Transition } from '#scripts/api/order-transitions.ts';

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
