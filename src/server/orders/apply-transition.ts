import { trackingText } from '#domain/order.ts';
import { CANCELLABLE, NEW_ORDER } from '#domain/order-status.ts';
import type { ChangeEntry } from '#server/admin/change-log.ts';
import type { Transaction } from '#server/db/database.ts';
import { type OutboxServices, queueEmail, TAKE_BACK_WITHIN, takeEmailBack } from '#server/email/outbox.ts';
import { setStatus } from '#server/payments/payable.ts';
import { endPayments, reopenPayments } from '#server/payments/refunds.ts';
import { lockPaymentsOf } from '#server/payments/stored-payments.ts';
import {
  CAME_BACK,
  type CameBack,
  STATUSES,
  type StatusName,
  statusOf,
} from '#server/services/order-status.ts';
import { ORDER_EMAILS } from './emails.ts';
import { returnsOf } from './returns/stored-returns.ts';
import { endLastEvent, lockOrder, type StoredOrder, setTracking, toTrackingDto } from './stored-orders.ts';

interface TransitionRow {
  readonly from: readonly StatusName[];
  readonly to: StatusName;
  readonly button: string;
  /** In the past tense, for the log. */
  readonly done: string;
  readonly needsTracking?: true;
  readonly email?: keyof typeof ORDER_EMAILS;
  /** Staff confirm it on a separate page, so it cannot be applied to several orders at once. */
  readonly needsConfirmation?: true;
}

/** The transitions that staff can make. To add one, add a line here: its button, path and command follow. */
export const TRANSITIONS = {
  process: { from: ['pending'], to: 'processing', button: 'Mark as processing', done: 'processed' },
  ship: {
    from: ['processing'],
    to: 'shipped',
    button: 'Mark as shipped',
    done: 'shipped',
    needsTracking: true,
    email: 'shipped',
  },
  deliver: {
    from: ['shipped'],
    to: 'delivered',
    button: 'Mark as delivered',
    done: 'delivered',
    email: 'delivered',
  },
  'came-back': {
    from: ['shipped'],
    to: 'cameBack',
    button: 'The parcel came back',
    done: 'noted that the parcel came back',
    needsConfirmation: true,
    email: 'cameBack',
  },
  cancel: {
    from: CANCELLABLE,
    to: 'cancelled',
    button: 'Cancel this order',
    done: 'cancelled',
    needsConfirmation: true,
    email: 'cancelled',
  },
} as const satisfies Record<string, TransitionRow>;

export type Transition = keyof typeof TRANSITIONS;

export const TRANSITION_NAMES = Object.keys(TRANSITIONS).filter(
  (name): name is Transition => name in TRANSITIONS,
);

export const transitionRow = (transition: Transition): TransitionRow => TRANSITIONS[transition];

export const isTransition = (name: unknown): name is Transition =>
  TRANSITION_NAMES.some((transition) => transition === name);

export const allows = (status: number, transition: Transition): boolean =>
  transitionRow(transition).from.some((name) => STATUSES[name].code === status);

/** The transitions without a confirmation page: those of this status, or all of them. */
export const plainTransitions = (status?: number): Transition[] =>
  TRANSITION_NAMES.filter(
    (transition) =>
      !transitionRow(transition).needsConfirmation && (status === undefined || allows(status, transition)),
  );

export interface OrderTransition {
  readonly id: string;
  readonly transition: Transition;
  /** '' if there is none. */
  readonly tracking?: string;
  /** As `storedCarrier` returns it; '' if there is none. */
  readonly carrier?: string;
  /** Sent instead of the transition's own email. */
  readonly email?: keyof typeof ORDER_EMAILS;
  /** Whether the staff may take it back. */
  readonly by?: 'staff';
  /** Why a parcel came back, and what the staff noted of its goods. */
  readonly why?: CameBack;
  readonly goods?: string;
}

export type TransitionResult =
  /** `refunds` is how many payments became `refund_due`. */
  | { readonly isDone: true; readonly order: StoredOrder; readonly status: number; readonly refunds: number }
  /** `reason` follows the order's name: 'is Pending; to ship it must be Processing'. */
  | { readonly isDone: false; readonly order: StoredOrder; readonly reason: string };

const label = (status: number): string => statusOf(status).label;

/**
 * Applies a transition if the order's status allows it, and logs it. A paid payment of a cancelled order becomes
 * `refund_due`. Returns undefined if there is no such order.
 */
export async function applyTransition(
  transaction: Transaction,
  services: OutboxServices,
  given: OrderTransition,
  log: (entry: ChangeEntry) => Promise<void>,
): Promise<TransitionResult | undefined> {
  const { id, transition, tracking = '', carrier = '', by, why, goods } = given;
  const { email = transitionRow(transition).email } = given;
  // Payment reports lock the payment first, then its order. The same lock order here avoids deadlocks.
  const { from, to, done } = transitionRow(transition);
  const { code: status, needsRefund }: { code: number; needsRefund?: true } = STATUSES[to];
  if (needsRefund) await lockPaymentsOf(transaction, id);
  const order = await lockOrder(transaction, id);
  if (!order) return undefined;
  if (!allows(order.status, transition)) {
    const needed = from.map((name) => STATUSES[name].label).join(' or ');
    return {
      isDone: false,
      order,
      reason: `is ${label(order.status)}; to ${transition} it must be ${needed}`,
    };
  }
  // A payment may have started before the order was locked. The lock prevents further ones.
  const payments = needsRefund ? await lockPaymentsOf(transaction, id) : [];
  const now = services.clock();
  await setStatus(transaction, order.number, status, now, { by, why });
  if (tracking) await setTracking(transaction, order.number, { tracking, carrier });
  const parcel = toTrackingDto({ tracking, carrier });
  const refunds = await endPayments(transaction, services, payments);
  if (email) {
    const waits = by === 'staff' ? TAKE_BACK_WITHIN : 0;
    await queueEmail(transaction, services, { ...ORDER_EMAILS[email], waits }, order.id);
  }
  await log({
    action: done,
    target: ['order', order.id],
    from: { status: label(order.status) },
    to: {
      status: label(status),
      ...(parcel ? { tracking: trackingText(parcel) } : {}),
      ...(why ? { why: CAME_BACK[why] } : {}),
      ...(goods ? { goods } : {}),
      ...(refunds > 0 ? { payment: 'refund due' } : {}),
    },
  });
  return { isDone: true, order, status, refunds };
}

/** The transition of the staff that brought the order into its status, and can be taken back. */
export function lastTransition({ status, events }: StoredOrder): Transition | undefined {
  const last = events.at(-1);
  return last?.by === 'staff' && last.status === status
    ? TRANSITION_NAMES.find((name) => STATUSES[transitionRow(name).to].code === status)
    : undefined;
}

/**
 * Takes the last transition of the staff back. The customer gets a correction if the email about it may have gone out.
 * Returns why that is not possible, or the status now.
 */
export async function takeBack(
  transaction: Transaction,
  services: OutboxServices,
  id: string,
  reason: string,
  log: (entry: ChangeEntry) => Promise<void>,
): Promise<{ readonly problem: string } | { readonly status: number; readonly needsCorrection: boolean }> {
  await lockPaymentsOf(transaction, id);
  const order = await lockOrder(transaction, id);
  const transition = order && lastTransition(order);
  if (!transition) return { problem: 'The last step of this order cannot be taken back.' };
  if (transition === 'deliver' && (await returnsOf(transaction, [order.number])).length > 0)
    return { problem: 'The customer has asked for a return, so the order was delivered.' };
  const payments = await lockPaymentsOf(transaction, id);
  const since = order.events.at(-1)?.at ?? 0;
  const isReopened =
    !statusOf(order.status).needsRefund || (await reopenPayments(transaction, services, payments, since));
  if (!isReopened) return { problem: 'Money was already returned for it. Place a new order instead.' };
  const status = order.events.at(-2)?.status ?? NEW_ORDER;
  await endLastEvent(transaction, order, status);
  const { email } = transitionRow(transition);
  const needsCorrection =
    email !== undefined && (await takeEmailBack(transaction, services, ORDER_EMAILS[email].kind, id));
  if (needsCorrection) await queueEmail(transaction, services, ORDER_EMAILS.takenBack, id);
  await log({
    action: 'took back',
    target: ['order', id],
    from: { status: label(order.status) },
    to: { status: label(status), reason, ...(needsCorrection ? { customer: 'gets a correction' } : {}) },
  });
  return { status, needsCorrection };
}
