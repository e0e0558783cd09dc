import { performance } from 'node:perf_hooks';
import { unavailable } from '#server/http/refusal.ts';
import type { Payers } from './counts.ts';
import { LANES, type Lane, type LaneName } from './table.ts';

/** How many places each key holds. */
export function createPlaces() {
  const held = new Map<string, number>();
  const heldBy = (key: string): number => held.get(key) ?? 0;
  return {
    heldBy,
    hold(keys: readonly string[], more: 1 | -1): void {
      for (const key of keys) {
        const count = heldBy(key) + more;
        if (count === 0) held.delete(key);
        else held.set(key, count);
      }
    },
  };
}

interface Waiting {
  readonly keys: readonly string[];
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** Runs work in the places of a lane. First comes who holds fewest of them: by network, then by line and account. */
export function createQueue({ atOnce, places, ofAccount = atOnce, rests = 0 }: Lane) {
  const [held, active] = [createPlaces(), createPlaces()];
  let waiting: readonly Waiting[] = [];
  let running = 0;

  /** Negative if the first one holds fewer places. */
  const compare = (one: Waiting, other: Waiting): number =>
    one.keys.reduce((sum, key, at) => sum || held.heldBy(key) - held.heldBy(other.keys[at] ?? ''), 0);

  const mayBegin = ([, , account]: readonly string[]): boolean =>
    running < atOnce && (account === undefined || active.heldBy(account) < ofAccount);

  const begin = (keys: readonly string[], more: 1 | -1): void => {
    running += more;
    active.hold(keys, more);
  };

  const leave = (one: Waiting): void => {
    waiting = waiting.filter((other) => other !== one);
  };

  function beginNext(): void {
    const [next] = waiting.filter(({ keys }) => mayBegin(keys)).toSorted(compare);
    if (!next) return;
    leave(next);
    begin(next.keys, 1);
    next.begin();
  }

  /**
   * If no place is free, the network that has most loses its latest one; if none of this network is, the line of it that
   * has most. Not if this one would then have more.
   */
  function makePlace(keys: readonly string[]): boolean {
    const [network = '', line = ''] = keys;
    if (held.heldBy(line) >= places / 4) return false;
    const isOwn = held.heldBy(network) >= places / 2;
    if (!isOwn && running + waiting.length < places) return true;
    const rivals = waiting.filter(({ keys: [of] }) => !isOwn || of === network);
    const last = rivals.toSorted(compare).at(-1);
    const [most = '', one] = isOwn ? [last?.keys[1], line] : [last?.keys[0], network];
    if (!last || held.heldBy(most) <= held.heldBy(one) + 1) return false;
    leave(last);
    last.refuse(unavailable());
    return true;
  }

  /** @throws Refusal 503 if the payers hold their share of the places, or no place is free */
  async function run<T>({ network, line, account }: Payers, work: () => T | Promise<T>): Promise<T> {
    const keys = [`network ${network}`, `line ${line}`, ...(account ? [`account ${account}`] : [])];
    if (!makePlace(keys)) throw unavailable();
    held.hold(keys, 1);
    if (mayBegin(keys)) begin(keys, 1);
    else
      await new Promise<void>((resolve, reject) => {
        const refuse = (error: Error): void => {
          held.hold(keys, -1);
          reject(error);
        };
        waiting = [...waiting, { keys, begin: resolve, refuse }];
      });
    const before = performance.eventLoopUtilization();
    try {
      return await work();
    } finally {
      const end = (): void => {
        begin(keys, -1);
        held.hold(keys, -1);
        beginNext();
      };
      if (rests === 0) end();
      else setTimeout(end, performance.eventLoopUtilization(before).active * rests).unref();
    }
  }

  return { run, load: () => ({ running, waiting: waiting.length }) };
}

/** @param hash the lane of password hashes */
export function createLanes(hash: Lane) {
  const queues = new Map<string, ReturnType<typeof createQueue>>();
  const queueOf = (lane: LaneName, of = ''): ReturnType<typeof createQueue> => {
    const queue = queues.get(lane + of) ?? createQueue(lane === 'hash' ? hash : LANES[lane]);
    queues.set(lane + of, queue);
    return queue;
  };
  return {
    /** Runs work in a lane. @param of the provider that it calls, with places of its own. @throws Refusal 503 */
    inLane: <T>(lane: LaneName, payers: Payers, work: () => T | Promise<T>, of?: string): Promise<T> =>
      queueOf(lane, of).run(payers, work),
    /** How much runs and waits. */
    load: (lane: LaneName) => queueOf(lane).load(),
  };
}

export type Lanes = ReturnType<typeof createLanes>;
