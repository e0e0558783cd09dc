import type { Database } from '#server/db/database.ts';
import { openCounts, type Payers } from './counts.ts';
import { createQueue } from './queue.ts';
import { COUNTS, type Counts, LANES, type Lane, type LaneName } from './table.ts';

/**
 * How the server gives out what is scarce (`table.ts`).
 * @param factor LIMIT_FACTOR. @param hash the lane of password hashes. @param counts replaces the rates in tests
 */
export function openLimits(db: Database, factor: number, hash: Lane, counts: Counts = COUNTS) {
  const lanes: Readonly<Record<LaneName, Lane>> = { ...LANES, hash };
  const queues = new Map<string, ReturnType<typeof createQueue>>();
  const queueOf = (lane: LaneName, of = ''): ReturnType<typeof createQueue> => {
    const name = `${lane} ${of}`;
    const queue = queues.get(name) ?? createQueue(lanes[lane]);
    queues.set(name, queue);
    return queue;
  };
  return {
    spend: openCounts(db, counts, factor),
    /** The same rates, counted apart. */
    spendOfStaff: openCounts(db, counts, factor, 'staff '),
    /** Runs work in a lane. @param of the provider that it calls, with places of its own. @throws Refusal 503 */
    inLane: <T>(lane: LaneName, payers: Payers, work: () => T | Promise<T>, of?: string): Promise<T> =>
      queueOf(lane, of).run(payers, work),
    /** How much runs and waits. */
    load: (lane: LaneName) => queueOf(lane).load(),
  };
}

export type Limits = ReturnType<typeof openLimits>;
