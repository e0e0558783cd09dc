import { randomUUID } from 'node:crypto';
import { type ChangeEntry, recordChange } from '#server/admin/change-log.ts';
import type { Transaction } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import { Refusal } from '#server/http/refusal.ts';
import { SECOND } from '#server/process/clock.ts';
import { loggedError } from '#server/process/log.ts';
import type { Services } from '#server/services/services.ts';
import { applyTo } from './actions.tsx';
import {
  type Batch,
  type BatchOrder,
  batchOrders,
  claimBatch,
  endBatch,
  renewClaim,
  storeResult,
} from './stored-batches.ts';

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
      applyTo(transaction, services, batch.action, order, (entry: ChangeEntry) =>
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
