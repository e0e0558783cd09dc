import type { ReactNode } from 'react';
import type { RecordChange } from '#server/admin/change-log.ts';
import { staffStatusOf } from '#server/admin/order-status.ts';
import { BATCHES } from '#server/admin/paths.ts';
import type { Access } from '#server/admin/roles.ts';
import { Button, Row } from '#server/admin/views/pieces.tsx';
import type { Reader, Transaction } from '#server/db/database.ts';
import type { OutboxServices } from '#server/email/outbox.ts';
import {
  applyTransition,
  areaOf,
  isFrom,
  isTransition,
  setTracking,
  shippingWarningsOf,
  TRANSITIONS,
  type Transition,
  transitionsOf,
} from '#server/fulfilment/apply-transition.ts';
import { lockOrder, type StoredOrder } from '#server/orders/stored-orders.ts';
import { owesBeforeShipping } from '#server/payments/admin/money-texts.ts';
import type { BatchOrder } from './stored-batches.ts';

export interface BatchAction {
  readonly button: string;
  readonly access: Access;
  /** The page of the batch that opens at once: nothing is changed, so nothing is asked. */
  readonly page?: 'slips' | 'picks' | 'csv';
}

/** The bulk actions: what staff can do with many orders at once. The transitions follow from TRANSITIONS. */
export const BATCH_ACTIONS: ReadonlyMap<string, BatchAction> = new Map<string, BatchAction>([
  ['slips', { button: 'Packing slips', access: 'orders.read', page: 'slips' }],
  ['picks', { button: 'Pick list', access: 'orders.read', page: 'picks' }],
  ...transitionsOf().several.map((name): [string, BatchAction] => [
    name,
    {
      button: name === 'cancel' ? 'Cancel them' : TRANSITIONS[name].button,
      access: areaOf(name),
    },
  ]),
  ['csv', { button: 'CSV', access: 'exports.read', page: 'csv' }],
]);

interface BatchButtonsProps {
  readonly legend: ReactNode;
  /** The status of all orders, if they have one. */
  readonly status?: number | undefined;
}

/**
 * A button for each action that orders of a status allow. Enter in a checkbox presses the first button, so the first one
 * changes nothing.
 */
export function BatchButtons({ legend, status }: BatchButtonsProps) {
  const possible: readonly string[] = transitionsOf(status).several;
  return (
    <fieldset className="mb-7">
      <legend>{legend}</legend>
      <Row>
        {[...BATCH_ACTIONS]
          .filter(([name]) => !isTransition(name) || possible.includes(name))
          .map(([name, { button }]) => (
            <Button key={name} variant="quiet" formAction={`${BATCHES}/${name}`}>
              {button}
            </Button>
          ))}
      </Row>
    </fieldset>
  );
}

const HELD_BACK = 'an owner must look at its money first';

/** Why an order is not shipped unless an owner ticks it. */
export const UNPAID = 'it is not paid';

/** Why an order must not be changed among others; undefined if it may. */
async function heldBack(
  db: Reader,
  transition: Transition,
  order: StoredOrder,
  isAllowed: boolean,
): Promise<string | undefined> {
  if (transition !== 'ship') return undefined;
  const owes = owesBeforeShipping(order);
  const others = (await shippingWarningsOf(db, order)).length - Number(owes);
  if (others > 0) return HELD_BACK;
  return owes && !isAllowed ? UNPAID : undefined;
}

/** The parcel of an order by the carrier's file. Both are '' in a batch without a file. */
type Parcel = Pick<BatchOrder, 'tracking' | 'carrier'>;

/** Whether an order has left before its number was known, so that there is nothing more to do than to store it. */
export const isNumberLate = (order: StoredOrder, { tracking }: Parcel): boolean =>
  tracking !== '' && staffStatusOf(order.status).hasShipped === true;

const hasNumber = (order: StoredOrder, { tracking }: Parcel): string | undefined => {
  if (!order.tracking) return undefined;
  const own = order.tracking.replaceAll(' ', '');
  return own.toUpperCase() === tracking.toUpperCase()
    ? 'it has this number already'
    : `it was shipped with the number ${order.tracking}`;
};

/** Why a transition is not possible for an order among others; undefined if it is. */
export async function problemOf(
  db: Reader,
  transition: Transition,
  order: StoredOrder,
  parcel: Parcel,
): Promise<string | undefined> {
  if (isNumberLate(order, parcel)) return hasNumber(order, parcel);
  return isFrom(transition, order.status)
    ? heldBack(db, transition, order, false)
    : `it is ${staffStatusOf(order.status).label}`;
}

/** Does what a batch does with one of its orders. Returns why the order was skipped, or undefined. */
export async function applyTo(
  transaction: Transaction,
  services: OutboxServices,
  action: string,
  { id, tracking, carrier, unpaid }: BatchOrder,
  log: RecordChange,
): Promise<string | undefined> {
  if (!isTransition(action)) throw new Error(`A batch cannot ${action}.`);
  const order = await lockOrder(transaction, id);
  if (order && isNumberLate(order, { tracking, carrier })) {
    const problem = hasNumber(order, { tracking, carrier });
    if (!problem) await setTracking(transaction, services, order, { tracking, carrier }, log);
    return problem;
  }
  const reason =
    order && isFrom(action, order.status)
      ? await heldBack(transaction, action, order, unpaid === 1)
      : undefined;
  if (reason) return reason;
  const given = { id, transition: action, by: 'staff', tracking, carrier } as const;
  const result = await applyTransition(transaction, services, given, log);
  return result.problem && `it ${result.problem}`;
}
