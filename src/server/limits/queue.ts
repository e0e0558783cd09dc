import { performance } from 'node:perf_hooks';
import { unavailable } from '#server/http/refusal.ts';
import type { Payers } from './counts.ts';
import { LANES, type Lane, type LaneName } from './table.ts';

/** Counts the places that each key holds. */
export function createPlaces() {
  const held = new Map<string, number>();
  const heldBy = (key = ''): number => held.get(key) ?? 0;
  const hold = (keys: readonly string[], more: 1 | -1): void => {
    for (const key of keys) {
      held.set(key, heldBy(key) + more);
      if (heldBy(key) === 0) held.delete(key);
    }
  };
  return { heldBy, hold };
}

/** Who holds a place: all, a network, a line, and the account if there is one. */
type Keys = readonly [all: 'all', network: string, line: string, ...account: string[]];

interface Waiting extends PromiseWithResolvers<void> {
  readonly keys: Keys;
}

/** Runs work in the places of a lane. The network, line and account with the fewest places go first. */
export function createQueue({ atOnce, places, ofAccount: maxOfAccount = atOnce, rests = 0 }: Lane) {
  const [held, active] = [createPlaces(), createPlaces()];
  const waiting = new Set<Waiting>();

  /** Negative if the first one holds fewer places. */
  const compare = (one: Waiting, other: Waiting): number =>
    one.keys.reduce((sum, key, at) => sum || held.heldBy(key) - held.heldBy(other.keys[at]), 0);

  const mayBegin = ({ keys: [all, , , account] }: Waiting): boolean =>
    active.heldBy(all) < atOnce && (account === undefined || active.heldBy(account) < maxOfAccount);

  function beginNext(): void {
    const [next] = [...waiting].filter(mayBegin).toSorted(compare);
    if (!next) return;
    waiting.delete(next);
    active.hold(next.keys, 1);
    next.resolve();
  }

  /**
   * Returns whether there is a place. A full lane drops the latest request of the network with the most places, a
   * network with half of them that of its line with the most; none if the caller would then hold more.
   */
  function makePlace([all, network, line]: Keys): boolean {
    if (held.heldBy(line) >= places / 4) return false;
    const isOwn = held.heldBy(network) >= places / 2;
    if (!isOwn && held.heldBy(all) < places) return true;
    const rivals = [...waiting].filter(({ keys }) => !isOwn || keys[1] === network);
    const last = rivals.toSorted(compare).at(-1);
    const [most, own] = isOwn ? [last?.keys[2], line] : [last?.keys[1], network];
    if (!last || held.heldBy(most) <= held.heldBy(own) + 1) return false;
    waiting.delete(last);
    held.hold(last.keys, -1);
    last.reject(unavailable());
    return true;
  }

  /** @throws Refusal 503 if the payers hold their share of the places, or no place is free */
  async function run<T>({ network, line, account }: Payers, work: () => T | Promise<T>): Promise<T> {
    const ofAccount = account ? [`account ${account}`] : [];
    const keys: Keys = ['all', `network ${network}`, `line ${line}`, ...ofAccount];
    if (!makePlace(keys)) throw unavailable();
    const turn: Waiting = { keys, ...Promise.withResolvers<void>() };
    held.hold(keys, 1);
    waiting.add(turn);
    beginNext();
    await turn.promise;
    const before = performance.eventLoopUtilization();
    try {
      return await work();
    } finally {
      const end = (): void => {
        held.hold(keys, -1);
        active.hold(keys, -1);
        beginNext();
      };
      if (rests === 0) end();
      else setTimeout(end, performance.eventLoopUtilization(before).active * rests).unref();
    }
  }

  return { run, load: () => ({ running: active.heldBy('all'), waiting: waiting.size }) };
}

/** @param hashesAtOnce of customers' passwords on unknown devices */
export function createLanes(hashesAtOnce: number) {
  const lanes = { ...LANES, customersHash: { atOnce: hashesAtOnce, places: hashesAtOnce + 50 } };
  const queues = new Map<string, ReturnType<typeof createQueue>>();
  /** Returns the queue of a lane. @param of the payment provider, which has places of its own */
  return (lane: LaneName, of = ''): ReturnType<typeof createQueue> => {
    const queue = queues.get(lane + of) ?? createQueue(lanes[lane]);
    queues.set(lane + of, queue);
    return queue;
  };
}

export type Lanes = ReturnType<typeof createLanes>;
