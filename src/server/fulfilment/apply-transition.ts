import { carrierName } from '#domain/carrier.ts';
import { CANCELLABLE } from '#domain/order-status.ts';
import { differences, type RecordChange } from '#server/admin/change-log.ts';
import { hasEnded, STAFF_STATUSES, type StaffStatusName, staffStatusOf } from '#server/admin/order-status.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import {
  dropWaiting,
  isUnwritten,
  type OutboxServices,
  queueEmail,
  TAKE_BACK_WITHIN,
  takeEmailBack,
} from '#server/email/outbox.ts';
import { Refusal } from '#server/http/refusal.ts';
import { recount } from '#server/ledger/book.ts';
import { adjustmentsOf, movementsOf, unreversed } from '#server/ledger/movements.ts';
import {
  itemsOf,
  lockOrder,
  type OrderItemRow,
  RTO_REASONS,
  type RtoReason,
  type StoredOrder,
  setStatus,
  takeStatusBack,
  updateOrder,
} from '#server/orders/stored-orders.ts';
import { shippingWarnings } from '#server/payments/attention.ts';
import { refundEnded } from '#server/payments/refund-order.ts';
import { notifyStaff } from '#server/staff/notifications.ts';
import type { Goods } from '#server/stock/stock-facts.ts';
import { restock } from '#server/stock/stored-stock.ts';
import { storedReturnTerms } from '#server/store/stored-store.ts';
import { ORDER_EMAILS } from './emails.ts';
import { returnsOf } from './returns/stored-returns.ts';

/** The customer as the actor in the admin's log. */
export const CUSTOMER = { id: null, who: 'Customer' };

type Parcel = Pick<StoredOrder, 'tracking' | 'carrier'>;

/** The carrier and the number of a parcel as texts. */
export const trackingTexts = ({ tracking, carrier }: Parcel) => ({
  carrier: carrierName(carrier),
  tracking: tracking ?? '',
});

/** Such as 'Delhivery AB123', or ''. */
export const parcelText = (parcel: Parcel): string =>
  Object.values(trackingTexts(parcel)).filter(Boolean).join(' ');

interface TransitionRow {
  readonly from: readonly StaffStatusName[];
  readonly to: StaffStatusName;
  readonly button: string;
  /** In the past tense, for the log. */
  readonly done: string;
  readonly email?: keyof typeof ORDER_EMAILS;
  /** Staff answer it on a page of its own. */
  readonly confirmation?: (order: string) => string;
}

export type Transition = 'process' | 'ship' | 'deliver' | 'returned-to-origin' | 'lost' | 'cancel';

/** The transitions that staff can make. To add one, add a line here: its button and path follow. */
export const TRANSITIONS: Readonly<Record<Transition, TransitionRow>> = {
  process: { from: ['pending'], to: 'processing', button: 'Mark as processing', done: 'processed' },
  ship: { from: ['processing'], to: 'shipped', button: 'Mark as shipped', done: 'shipped', email: 'shipped' },
  deliver: {
    // A lost parcel may arrive after all.
    from: ['shipped', 'lost'],
    to: 'delivered',
    button: 'Mark as delivered',
    done: 'delivered',
    email: 'delivered',
  },
  'returned-to-origin': {
    from: ['shipped'],
    to: 'returnedToOrigin',
    button: 'The parcel came back',
    done: 'noted that the parcel came back',
    email: 'returnedToOrigin',
    confirmation: (order) => `Did the parcel of order ${order} come back?`,
  },
  lost: {
    from: ['shipped'],
    to: 'lost',
    button: 'The parcel was lost',
    done: 'noted that the parcel was lost',
    email: 'lost',
    confirmation: (order) => `Did the carrier lose the parcel of order ${order}?`,
  },
  cancel: {
    from: CANCELLABLE,
    to: 'cancelled',
    button: 'Cancel this order',
    done: 'cancelled',
    email: 'cancelled',
    confirmation: (order) => `Cancel order ${order}?`,
  },
};

export const isTransition = (name: unknown): name is Transition =>
  typeof name === 'string' && Object.hasOwn(TRANSITIONS, name);

export const TRANSITION_NAMES = Object.keys(TRANSITIONS).filter(isTransition);

/** Packers make the transitions that end no order. */
export const areaOf = (name: Transition): 'orders' | 'service' =>
  TRANSITIONS[name].confirmation ? 'service' : 'orders';

export const isFrom = (name: Transition, code: number): boolean =>
  TRANSITIONS[name].from.some((status) => STAFF_STATUSES[status].code === code);

/**
 * The transitions of orders in this status, or all of them: those that are made at once, those with a confirmation, and those
 * that can be made of several orders together.
 */
export const transitionsOf = (code?: number) => {
  const possible = TRANSITION_NAMES.filter((name) => code === undefined || isFrom(name, code));
  const { atOnce = [], needsConfirmation = [] } = Object.groupBy(possible, (name) =>
    TRANSITIONS[name].confirmation ? 'needsConfirmation' : 'atOnce',
  );
  return {
    atOnce,
    needsConfirmation,
    several: possible.filter((name) => !/^(?:returned-to-origin|lost)$/.test(name)),
  };
};

/** What to look at before an order is shipped. */
export const shippingWarningsOf = async (db: Reader, order: StoredOrder): Promise<string[]> =>
  shippingWarnings(order, await movementsOf(db, order.number));

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
  readonly by?: 'staff' | 'customer';
  /** Why a parcel came back, and what the staff noted of its goods. */
  readonly why?: RtoReason;
  readonly goods?: string;
  /** Whether what came back goes on sale again. A cancelled order's goods always do. */
  readonly backOnSale?: boolean;
}

export interface TransitionResult {
  /** Why nothing was done. It follows the order's name: 'is Pending; this needs an order that is Processing'. */
  readonly problem?: string | undefined;
  /** The status now. */
  readonly status: number;
  /** Whether what it holds is to refund. */
  readonly isToRefund: boolean;
}

export const label = (status: number): string => staffStatusOf(status).label;

/** Goods of an order, by what its lines name. */
export const goodsOf = (
  items: readonly OrderItemRow[],
  lines: readonly { readonly line: string; readonly quantity: number }[],
): Goods[] =>
  lines.flatMap(({ line, quantity: pieces }) =>
    items
      .filter(({ position }) => String(position) === line)
      .map(({ productId, size }) => ({ productId, size: size ?? '', pieces })),
  );

/** Puts the goods of an order back into the stock. Pieces that were found missing, which lowered the price, stay out. */
async function restockOrder(transaction: Transaction, { number }: StoredOrder): Promise<void> {
  const items = (await itemsOf(transaction, [number])).get(number) ?? [];
  const adjustments = unreversed(await adjustmentsOf(transaction, number));
  const missing = adjustments.filter(({ kind }) => kind === 'lowered').flatMap(({ lines }) => lines);
  const lines = items.map(({ position, quantity }) => {
    const line = String(position);
    const own = missing.filter((each) => each.line === line);
    const left = own.reduce((rest, each) => rest - each.quantity, quantity);
    return { line, quantity: Math.max(0, left) };
  });
  await restock(transaction, number, goodsOf(items, lines));
}

/** Locks the order of a transition. Returns why its status does not allow the transition, if so. @throws Refusal 404 */
async function lockFor(transaction: Transaction, { id, transition }: OrderTransition) {
  const order = await lockOrder(transaction, id);
  if (!order) throw new Refusal(404, 'There is no such order.');
  const needed = TRANSITIONS[transition].from.map((name) => STAFF_STATUSES[name].label).join(' or ');
  const problem = `is ${label(order.status)}; this needs an order that is ${needed}`;
  return { order, problem: isFrom(transition, order.status) ? undefined : problem };
}

/** Applies a transition if the order's status allows it, and logs it. If the order ends, its money becomes due as a refund. */
export async function applyTransition(
  transaction: Transaction,
  services: OutboxServices,
  given: OrderTransition,
  log: RecordChange,
): Promise<TransitionResult> {
  const { transition, tracking = '', carrier = '', by, why, goods, backOnSale } = given;
  const { to, done, email: ownEmail } = TRANSITIONS[transition];
  const { email = ownEmail } = given;
  const { code: status, needsRefund }: { code: number; needsRefund?: true } = STAFF_STATUSES[to];
  const { order, problem } = await lockFor(transaction, given);
  if (problem) return { problem, status: order.status, isToRefund: false };
  const now = services.clock();
  const terms = to === 'delivered' ? await storedReturnTerms(transaction) : undefined;
  await setStatus(transaction, order.number, status, now, { by, why, terms });
  if (to === 'cancelled' || backOnSale) await restockOrder(transaction, order);
  if (tracking) await updateOrder(transaction, order.number, { tracking, carrier: carrier || null });
  const book = { transaction, services, orderNumber: order.number };
  if (hasEnded(order.status)) await recount(book);
  const isToRefund = needsRefund === true && (await refundEnded(book));
  if (email) {
    const waits = by === 'staff' ? TAKE_BACK_WITHIN : 0;
    await queueEmail(transaction, services, { ...ORDER_EMAILS[email], waits }, order.id);
  }
  // Nobody packs an order that was never paid, so its end is no news.
  if (transition === 'cancel' && given.email !== 'expired')
    await notifyStaff(transaction, services, 'cancellations', order.id, order.printedAt !== null);
  await log({
    action: done,
    target: ['order', order.id],
    from: { status: label(order.status) },
    to: {
      status: label(status),
      ...(tracking ? { tracking: parcelText({ tracking, carrier }) } : {}),
      ...(why ? { why: RTO_REASONS[why].en } : {}),
      ...(goods ? { goods } : {}),
      ...(isToRefund ? { payment: 'refund due' } : {}),
    },
  });
  return { status, isToRefund };
}

/** Notes that one of several parcels has left. The order is Shipped when the last one leaves. */
export async function sendParcel(
  transaction: Transaction,
  services: OutboxServices,
  given: OrderTransition,
  log: RecordChange,
): Promise<TransitionResult> {
  const { id, tracking = '', carrier = '' } = given;
  const { order, problem } = await lockFor(transaction, given);
  const done = { status: order.status, isToRefund: false };
  if (problem) return { ...done, problem };
  if (tracking === '') return { ...done, problem: 'has no number for this parcel' };
  if (order.parcels.some((parcel) => parcel.tracking === tracking))
    return { ...done, problem: 'has this parcel already' };
  const parcels = [...order.parcels, { tracking, carrier, at: services.clock() }];
  await updateOrder(transaction, order.number, { tracking, carrier: carrier || null, parcels });
  await queueEmail(transaction, services, ORDER_EMAILS.partShipped, id, { answer: tracking });
  const to = { tracking: parcelText({ tracking, carrier }) };
  await log({ action: 'sent a parcel', target: ['order', id], to });
  return done;
}

/**
 * Stores the tracking number of an order that has left. An email about the shipping that is still to be written will
 * have it; a customer who got that email gets the number in an email of its own.
 * @returns whether the customer will read a new number
 */
export async function setTracking(
  transaction: Transaction,
  services: OutboxServices,
  order: StoredOrder,
  { tracking, carrier }: Required<Pick<OrderTransition, 'tracking' | 'carrier'>>,
  log: RecordChange,
): Promise<boolean> {
  const { id, number, status } = order;
  const changed = differences(trackingTexts(order), trackingTexts({ tracking, carrier }));
  if (Object.keys(changed.to).length === 0) return false;
  await updateOrder(transaction, number, { tracking: tracking || null, carrier: carrier || null });
  await log({ action: 'changed the tracking number', target: ['order', id], ...changed });
  const { shipped, tracking: email } = ORDER_EMAILS;
  await dropWaiting(transaction, services.clock(), [email.kind], [id]);
  if (tracking === '' || status !== STAFF_STATUSES.shipped.code) return false;
  if (!(await isUnwritten(transaction, shipped.kind, id)))
    await queueEmail(transaction, services, { ...email, waits: TAKE_BACK_WITHIN }, id);
  return true;
}

/**
 * The transition of the staff or the customer that brought the order into its status, and can be taken back. An order that
 * expired would expire again, unless it was paid since.
 */
export function lastTransition({ status, events, heldPaise }: StoredOrder): Transition | undefined {
  const last = events.at(-1);
  return last?.status === status && (last.by || (hasEnded(status) && heldPaise > 0))
    ? TRANSITION_NAMES.find((name) => STAFF_STATUSES[TRANSITIONS[name].to].code === status)
    : undefined;
}

/**
 * Takes the last transition back. The customer gets a correction if it was the customer's own, or if the email about it may
 * have gone out.
 * @throws Refusal 409 if that is not possible
 */
export async function takeBack(
  transaction: Transaction,
  services: OutboxServices,
  id: string,
  reason: string,
  log: RecordChange,
): Promise<{ readonly status: number; readonly needsCorrection: boolean }> {
  const order = await lockOrder(transaction, id);
  const transition = order && lastTransition(order);
  if (!transition) throw new Refusal(409, 'The last step of this order cannot be taken back.');
  if (transition === 'deliver' && (await returnsOf(transaction, [order.number])).length > 0)
    throw new Refusal(409, 'The customer has asked for a return, so the order was delivered.');
  const { hasShipped } = staffStatusOf(await takeStatusBack(transaction, order));
  // A parcel that did not leave has no tracking number.
  const { tracking = null, carrier } = order.parcels.at(-1) ?? {};
  if (!hasShipped) await updateOrder(transaction, order.number, { tracking, carrier: carrier || null });
  const { status } = await recount({ transaction, services, orderNumber: order.number });
  if (!hasShipped) await dropWaiting(transaction, services.clock(), [ORDER_EMAILS.tracking.kind], [id]);
  const { email } = TRANSITIONS[transition];
  const wasSent =
    email !== undefined && (await takeEmailBack(transaction, services, ORDER_EMAILS[email].kind, id));
  const isOfCustomer = order.events.at(-1)?.by === 'customer';
  const needsCorrection = isOfCustomer || wasSent;
  const correction = isOfCustomer ? ORDER_EMAILS.goesOn : ORDER_EMAILS.takenBack;
  if (needsCorrection) await queueEmail(transaction, services, correction, id);
  await log({
    action: 'took back',
    target: ['order', id],
    from: { status: label(order.status) },
    to: { status: label(status), reason, ...(needsCorrection ? { customer: 'gets a correction' } : {}) },
  });
  return { status, needsCorrection };
}
