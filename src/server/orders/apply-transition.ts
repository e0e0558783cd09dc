import { trackingText } from '#domain/order.ts';
import { CANCELLABLE, STATUSES, type StatusName, statusOf } from '#domain/order-status.ts';
import type { ChangeEntry } from '#server/admin/change-log.ts';
import type { Transaction } from '#server/db/database.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { setStatus } from '#server/payments/payable.ts';
import { endPayments } from '#server/payments/refunds.ts';
import { lockPaymentsOf } from '#server/payments/stored-payments.ts';
import { ORDER_EMAILS } from './emails.ts';
import { lockOrder, type StoredOrder, setTracking, toTrackingDto } from './stored-orders.ts';

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
  { id, transition, tracking = '', carrier = '', email = transitionRow(transition).email }: OrderTransition,
  log: (entry: ChangeEntry) => Promise<void>,
): Promise<TransitionResult | undefined> {
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
  await setStatus(transaction, order.number, status, now);
  if (tracking) await setTracking(transaction, order.number, { tracking, carrier });
  const parcel = toTrackingDto({ tracking, carrier });
  const refunds = await endPayments(transaction, services, payments);
  if (email) await queueEmail(transaction, services, ORDER_EMAILS[email], order.id);
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
