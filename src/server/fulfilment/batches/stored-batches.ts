import { randomUUID } from 'node:crypto';
import { expressionBuilder, sql } from 'kysely';
import * as v from 'valibot';
import type { StaffMember } from '#server/admin/page.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import type { OrderFilter } from '#server/fulfilment/admin/listed-orders.ts';
import { Refusal } from '#server/http/refusal.ts';
import { SHOWN_NUMBER } from '#server/orders/stored-orders.ts';
import { SECOND } from '#server/process/clock.ts';

const BATCH = q
  .selectFrom('batches')
  .select(['id', 'action', 'staffId', 'who', 'problems', 'createdAt', 'startedAt', 'endedAt']);

const BATCH_JSON = { problems: json(v.array(v.object({ line: v.number(), reason: v.string() }))) };

export type Batch = RowOf<typeof BATCH, typeof BATCH_JSON>;

/** An order of a carrier's file. */
export interface TrackedOrder {
  readonly number: number;
  readonly tracking: string;
  readonly carrier: string;
}

interface NewBatch {
  readonly action: string;
  readonly staff: Pick<StaffMember, 'id' | 'email'>;
  /** ms since 1970 */
  readonly now: number;
  /** Whether there is nothing to run, because the orders are only read. */
  readonly isRead?: boolean;
  readonly problems?: Batch['problems'];
}

async function insertBatch(
  transaction: Transaction,
  { action, staff, now, isRead = false, problems = [] }: NewBatch,
): Promise<string> {
  const id = randomUUID();
  const ended = isRead ? now : null;
  const author = { staffId: staff.id, who: staff.email };
  const times = { createdAt: now, startedAt: ended, endedAt: ended };
  const row = { id, action, ...author, problems: JSON.stringify(problems), ...times };
  await transaction.run(q.insertInto('batches').values(row));
  return id;
}

/** Makes a batch of the orders that match now. Returns its id, and how many they are. */
export async function createBatch(transaction: Transaction, batch: NewBatch, filter: OrderFilter) {
  const id = await insertBatch(transaction, batch);
  const orders = await transaction.run(
    sql`INSERT INTO batch_orders (batch_id, order_number, state)
      SELECT ${id}, number, ${sql.lit(batch.isRead ? 'done' : 'waiting')} FROM orders WHERE ${filter}`,
  );
  return { id, orders };
}

/** Makes a batch of the orders of a carrier's file. Returns its id. */
export async function createTrackingBatch(
  transaction: Transaction,
  batch: NewBatch,
  orders: readonly TrackedOrder[],
): Promise<string> {
  const batchId = await insertBatch(transaction, batch);
  for (const { number, ...parcel } of orders)
    await transaction.run(
      q.insertInto('batchOrders').values({ batchId, orderNumber: number, ...parcel, state: 'waiting' }),
    );
  return batchId;
}

/** @throws Refusal 404 */
export async function requireBatch(db: Reader, id: string): Promise<Batch> {
  const found = await db.row(BATCH.where('id', '=', id), BATCH_JSON);
  if (!found) throw new Refusal(404, 'There is no such bulk action. They are deleted after some time.');
  return found;
}

/** Those that were started, the newest first. */
export const newestBatches = (db: Reader, max: number) =>
  db.rows(
    BATCH.select(({ selectFrom }) =>
      selectFrom('batchOrders')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('batchId', '=', 'batches.id')
        .as('orders'),
    )
      .where('startedAt', 'is not', null)
      .orderBy('createdAt', 'desc')
      .limit(max),
    BATCH_JSON,
  );

export const BATCH_STATES = ['waiting', 'done', 'skipped'] as const;

export type BatchState = (typeof BATCH_STATES)[number];

/** How many of its orders are in each state. */
export async function countByState(db: Reader, id: string): Promise<Readonly<Record<BatchState, number>>> {
  const states = q.selectFrom('batchOrders').select(['state', ({ fn }) => fn.countAll<number>().as('count')]);
  const found = await db.rows(states.where('batchId', '=', id).groupBy('state'));
  const counts = Object.fromEntries(found.map(({ state, count }) => [state, count]));
  return { waiting: 0, done: 0, skipped: 0, ...counts };
}

const RESULT = q
  .selectFrom('batchOrders')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .select(['orderNumber', 'orders.id', 'orders.status', 'state', 'reason'])
  .select(['batchOrders.tracking', 'batchOrders.carrier', 'unpaid'])
  .select(SHOWN_NUMBER);

export type BatchOrder = RowOf<typeof RESULT>;

/** Its orders in one state after an order number, the oldest first. */
export const batchOrders = (
  db: Reader,
  id: string,
  state: BatchState,
  max: number,
  after = 0,
): Promise<BatchOrder[]> =>
  db.rows(
    RESULT.where('batchId', '=', id)
      .where('state', '=', state)
      .where('orderNumber', '>', after)
      .orderBy('orderNumber')
      .limit(max),
  );

const changed = (id: string) => q.updateTable('batches').where('id', '=', id);

const ordersChanged = (id: string) => q.updateTable('batchOrders').where('batchId', '=', id);

/** Starts a batch. Returns 0 if it was started already. */
export const startBatch = (transaction: Transaction, id: string, now: number): Promise<number> =>
  transaction.run(changed(id).set({ startedAt: now }).where('startedAt', 'is', null));

export const endBatch = (transaction: Transaction, id: string, now: number): Promise<number> =>
  transaction.run(changed(id).set({ endedAt: now }).where('endedAt', 'is', null));

/** An owner says to ship orders of a batch though they are not paid. */
export const allowUnpaid = (transaction: Transaction, id: string, numbers: readonly number[]) =>
  transaction.run(
    ordersChanged(id)
      .set({ unpaid: 1 })
      .where('orderNumber', 'in', [...numbers]),
  );

/** Skips all orders that wait. Returns how many. */
export const skipWaiting = (transaction: Transaction, id: string, reason: string): Promise<number> =>
  transaction.run(ordersChanged(id).set({ state: 'skipped', reason }).where('state', '=', 'waiting'));

/** @param reason why it was skipped; undefined if it is done */
export const storeResult = (
  transaction: Transaction,
  id: string,
  orderNumber: number,
  reason: string | undefined,
): Promise<number> => {
  const result = { state: reason === undefined ? 'done' : 'skipped', reason: reason ?? '' } as const;
  return transaction.run(ordersChanged(id).set(result).where('orderNumber', '=', orderNumber));
};

/** How long a process claims a batch, in ms. It renews its claim with each order. If it dies, another one goes on. */
const CLAIM = 30 * SECOND;

const batch = expressionBuilder<Tables, 'batches'>();

/** A claim of the far future was made by a clock that was wrong. */
const isFree = (now: number) =>
  batch.or([batch('claimedUntil', '<=', now), batch('claimedUntil', '>', now + CLAIM)]);

const RUNNING = BATCH.where('startedAt', 'is not', null).where('endedAt', 'is', null);

/**
 * Claims a batch that runs and that no process has: the one that waited longest.
 * @param claimedBy a random id @param id of the only batch that is meant
 */
export async function claimBatch(
  transaction: Transaction,
  claimedBy: string,
  now: number,
  id?: string,
): Promise<Batch | undefined> {
  const free = RUNNING.where(isFree(now)).orderBy('claimedUntil').limit(1).forNoKeyUpdate();
  const found = await transaction.row(id === undefined ? free : free.where('id', '=', id), BATCH_JSON);
  if (!found) return undefined;
  const claim = changed(found.id).set({ claimedBy, claimedUntil: now + CLAIM });
  // On PostgreSQL another process may have claimed it before the row was locked.
  const isMine = await transaction.run(claim.where(isFree(now)));
  return isMine > 0 ? found : undefined;
}

/** Renews a claim, or ends it at once with `until` = now. Returns 0 if another process has the batch, or it has ended. */
export const renewClaim = (
  transaction: Transaction,
  id: string,
  claimedBy: string,
  now: number,
  until = now + CLAIM,
): Promise<number> => {
  const claimed = changed(id).where('claimedBy', '=', claimedBy).where('endedAt', 'is', null);
  return transaction.run(claimed.set({ claimedUntil: until }));
};
