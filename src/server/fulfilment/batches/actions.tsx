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
  isFrom,
  isTransition,
  shippingWarningsOf,
  TRANSITIONS,
  type Transition,
  transitionsOf,
} from '#server/fulfilment/apply-transition.ts';
import { ordersByNumber, type StoredOrder } from '#server/orders/stored-orders.ts';
import { owesBeforeShipping } from '#server/payments/admin/money-texts.ts';
import type { BatchOrder } from './stored-batches.ts';

export interface BatchAction {
  readonly button: string;
  readonly access: Access;
  /** The page of the batch that opens at once: nothing is changed, so nothing is asked. */
  readonly page?: 'slips' | 'picks' | 'csv';
}

/** What staff can do with many orders at once, with its button. The transitions follow from TRANSITIONS. */
export const BATCH_ACTIONS: ReadonlyMap<string, BatchAction> = new Map<string, BatchAction>([
  ['slips', { button: 'Packing slips', access: 'orders.read', page: 'slips' }],
  ['picks', { button: 'Pick list', access: 'orders.read', page: 'picks' }],
  ...transitionsOf().several.map((name): [string, BatchAction] => [
    name,
    { button: name === 'cancel' ? 'Cancel them' : TRANSITIONS[name].button, access: 'orders.write' },
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

const HELD_BACK = 'its money was disputed or refunded, so open it to decide';

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

/** Why a transition is not possible for an order among others; undefined if it is. */
export const problemOf = async (
  db: Reader,
  transition: Transition,
  order: StoredOrder,
): Promise<string | undefined> =>
  isFrom(transition, order.status)
    ? heldBack(db, transition, order, false)
    : `it is ${staffStatusOf(order.status).label}`;

/** Does what a batch does with one of its orders. Returns why the order was left out, or undefined. */
export async function applyTo(
  transaction: Transaction,
  services: OutboxServices,
  action: string,
  { id, orderNumber: number, tracking, carrier, unpaid }: BatchOrder,
  log: RecordChange,
): Promise<string | undefined> {
  if (!isTransition(action)) throw new Error(`A batch cannot ${action}.`);
  const [order] = await ordersByNumber(transaction, [number]);
  const reason =
    order && isFrom(action, order.status)
      ? await heldBack(transaction, action, order, unpaid === 1)
      : undefined;
  if (reason) return reason;
  const given = { id, transition: action, by: 'staff', tracking, carrier } as const;
  const result = await applyTransition(transaction, services, given, log);
  return result.problem && `it ${result.problem}`;
}
