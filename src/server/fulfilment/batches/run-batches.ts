import { randomUUID } from 'node:crypto';
import { type RecordChange, recordChange } from '#server/admin/change-log.ts';
import { staffStatusOf } from '#server/admin/order-status.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import {
  applyTransition,
  isFrom,
  isTransition,
  setTracking,
  shippingWarningsOf,
  type Transition,
} from '#server/fulfilment/apply-transition.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockOrder, type StoredOrder } from '#server/orders/stored-orders.ts';
import { owesBeforeShipping } from '#server/payments/attention.ts';
import { SECOND } from '#server/process/clock.ts';
import { loggedError } from '#server/process/log.ts';
import type { Services } from '#server/services/services.ts';
import {
  type Batch,
  type BatchOrder,
  batchOrders,
  claimBatch,
  endBatch,
  renewClaim,
  storeResult,
} from './stored-batches.ts';

/** Why an order is not shipped unless an owner ticks it. */
export const UNPAID = 'it is not paid';

/** The parcel of an order by the carrier's file, '' in a batch without a file, and whether it is shipped unpaid. */
type Given = Pick<BatchOrder, 'tracking' | 'carrier' | 'unpaid'>;

interface Step {
  /** Whether the order has left before its number was known, so that there is nothing more to do than to store it. */
  readonly isLate: boolean;
  /** Whether it is late, or its status allows the transition. */
  readonly isPossible: boolean;
  /** Why nothing is done; undefined if something is. */
  readonly problem?: string | undefined;
}

/** What a batch can do with one of its orders now. */
export async function stepOf(
  db: Reader,
  transition: Transition,
  order: StoredOrder,
  { tracking, unpaid }: Given,
): Promise<Step> {
  if (tracking !== '' && staffStatusOf(order.status).hasShipped) {
    const late = { isLate: true, isPossible: true };
    if (!order.tracking) return late;
    const isSame = order.tracking.replaceAll(' ', '').toUpperCase() === tracking.toUpperCase();
    const other = `it was shipped with the number ${order.tracking}`;
    return { ...late, problem: isSame ? 'it has this number already' : other };
  }
  const possible = { isLate: false, isPossible: true };
  if (!isFrom(transition, order.status))
    return { ...possible, isPossible: false, problem: `it is ${staffStatusOf(order.status).label}` };
  if (transition !== 'ship') return possible;
  const owes = owesBeforeShipping(order);
  const others = (await shippingWarningsOf(db, order)).length - Number(owes);
  if (others > 0) return { ...possible, problem: 'an owner must look at its money first' };
  return { ...possible, problem: owes && unpaid === 0 ? UNPAID : undefined };
}

/** Does what a batch does with one of its orders. Returns why the order was skipped, or undefined. */
async function applyTo(
  transaction: Transaction,
  services: Services,
  transition: string,
  given: BatchOrder,
  log: RecordChange,
): Promise<string | undefined> {
  if (!isTransition(transition)) throw new Error(`A batch cannot ${transition}.`);
  const { id, tracking, carrier } = given;
  const order = await lockOrder(transaction, id);
  const step = order && (await stepOf(transaction, transition, order, given));
  if (step?.isPossible && step.problem) return step.problem;
  if (order && step?.isLate) {
    await setTracking(transaction, services, order, { tracking, carrier }, log);
    return undefined;
  }
  const all = { id, transition, by: 'staff', tracking, carrier } as const;
  const { problem } = await applyTransition(transaction, services, all, log);
  return problem && `it ${problem}`;
}

/** How long a run works at most, in ms. The pause after it leaves the database to shoppers. */
const RUN = SECOND;

const ORDERS_PER_QUERY = 20;

/**
 * Does one order in one transaction with its result, so that no order is done twice. Returns false if the batch is no longer
 * of this process.
 */
async function runOrder(
  services: Services,
  batch: Batch,
  claimedBy: string,
  order: BatchOrder,
): Promise<boolean> {
  const { db, clock, log } = services;
  const author = { id: batch.staffId, who: batch.who };
  const inClaim = (work: (transaction: Transaction) => Promise<string | undefined>) =>
    db.write(async (transaction) => {
      if ((await renewClaim(transaction, batch.id, claimedBy, clock())) === 0) return false;
      await storeResult(transaction, batch.id, order.orderNumber, await work(transaction));
      return true;
    });
  try {
    return await inClaim((transaction) =>
      applyTo(transaction, services, batch.action, order, (entry) =>
        recordChange(transaction, author, clock(), entry),
      ),
    );
  } catch (error) {
    if (error instanceof StorageError) throw error;
    if (!(error instanceof Refusal))
      log('error', 'an order of a batch failed', {
        batch: batch.id,
        order: order.id,
        error: loggedError(error),
      });
    const reason = error instanceof Refusal ? error.message : 'an error of the program stopped it';
    return inClaim(async () => reason);
  }
}

/** Returns whether its orders are all done. */
async function runBatch(services: Services, batch: Batch, claimedBy: string, end: number): Promise<boolean> {
  for (;;) {
    const orders = await batchOrders(services.db, batch.id, 'waiting', ORDERS_PER_QUERY);
    if (orders.length === 0) return true;
    for (const order of orders) {
      if (performance.now() > end || services.isStopping?.()) return false;
      if (!(await runOrder(services, batch, claimedBy, order))) return false;
    }
  }
}

/**
 * Runs batches for a second. Of several processes, one has a batch; what it leaves, it or another one goes on with.
 * @param id of the only batch that is meant
 */
export async function runBatches(services: Services, id?: string): Promise<void> {
  const { db, clock } = services;
  const end = performance.now() + RUN;
  const claimedBy = randomUUID();
  while (performance.now() < end) {
    const batch = await db.write((transaction) => claimBatch(transaction, claimedBy, clock(), id));
    if (!batch) return;
    const isDone = await runBatch(services, batch, claimedBy, end);
    await db.write(async (transaction) => {
      const isMine = (await renewClaim(transaction, batch.id, claimedBy, clock(), clock())) > 0;
      if (isMine && isDone) await endBatch(transaction, batch.id, clock());
    });
  }
}
