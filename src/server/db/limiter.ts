import { createHash } from 'node:crypto';
import { networksOf } from '#server/http/client-address.ts';
import { HOUR } from '#server/process/clock.ts';
import type { Limit } from '#server/settings/settings.ts';

export interface CountedAttempt {
  /** 0 if the limit allows the attempt, otherwise the seconds to wait for the next one */
  readonly waitSeconds: number;
  /** Uncounts the attempt. @throws StorageError */
  readonly release: () => Promise<void>;
}

export interface Limiter {
  /**
   * Counts an attempt, even if the limit does not allow it.
   * @param caller the caller's address, required if strangers can invent the key. Without room for a new key, its
   * networks are counted instead. Without a caller the key always has room, so it must come from the shop's own
   * rows.
   * @throws StorageError
   */
  readonly take: (key: string, caller?: string | undefined) => Promise<CountedAttempt>;
}

/** Attempts of one key since its window began. */
export interface Window {
  readonly count: number;
  /** ms until it ends */
  readonly left: number;
}

/** Where attempts are counted. Each function throws a StorageError if the database fails. */
export interface Counts {
  /**
   * Counts one more. Returns undefined if the key is new and `list` is full.
   * @param list 0 for keys; a list for each size of network; undefined for a key that always has room
   */
  readonly add: (key: string, list: number | undefined) => Promise<Window | undefined>;
  /** Counts one less, and removes the key at 0. */
  readonly subtract: (key: string) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}

/** Keys contain emails and addresses, so only their hashes are stored. */
const keyOf = (name: string): string => createHash('sha256').update(name).digest('base64url');

/** The clocks of several machines may differ a little. In ms. */
const longestWindow = (every: number): number => every + Math.min(every, HOUR);

/** Shared by all callers that fit into no list. */
const ALL_OTHERS = 'all other networks';

/** Returns the key's list, then those of the caller's networks, smallest first. The last one always has room. */
const candidatesOf = (
  name: string,
  caller: string | undefined,
): readonly (readonly [string, number | undefined])[] =>
  caller === undefined
    ? [[name, undefined]]
    : [
        [name, 0],
        ...networksOf(caller).map((network, size) => [`network ${network}`, size + 1] as const),
        [ALL_OTHERS, undefined],
      ];

export function createLimiter(counts: Counts, { most, every, sliding = false }: Limit): Limiter {
  /** A sliding limit has one key per attempt, whose window begins with that attempt. */
  const points = sliding ? 1 : most;

  async function countIn(key: string, list: number | undefined): Promise<Window | undefined> {
    const window = await counts.add(key, list);
    // A window that ends even later began before the clock was set back, and would block for too long.
    if (window === undefined || window.left <= longestWindow(every)) return window;
    await counts.remove(key);
    return counts.add(key, list);
  }

  /** Returns undefined if the list is full. */
  async function takeIn(name: string, list: number | undefined): Promise<CountedAttempt | undefined> {
    let soonest = Number.POSITIVE_INFINITY;
    for (let slot = 0; slot < (sliding ? most : 1); slot += 1) {
      const key = keyOf(sliding ? `${name}#${slot}` : name);
      const window = await countIn(key, list);
      if (window === undefined) return undefined;
      const isAllowed = window.count <= points;
      soonest = Math.min(soonest, window.left);
      if (sliding && !isAllowed) continue;
      const end = performance.now() + window.left;
      return {
        waitSeconds: isAllowed ? 0 : Math.ceil(soonest / 1_000),
        async release() {
          // After the window's end this would reduce the count of the next one.
          if (performance.now() >= end) return;
          await (sliding ? counts.remove(key) : counts.subtract(key));
        },
      };
    }
    return { waitSeconds: Math.ceil(soonest / 1_000), release: async () => {} };
  }

  return {
    async take(name, caller) {
      for (const [key, list] of candidatesOf(name, caller)) {
        const taken = await takeIn(key, list);
        if (taken) return taken;
      }
      throw new Error('The last list has room for every key.');
    },
  };
}

/** A network (/24, /48) may do this many times as much as one address. */
const NETWORK_FACTOR = 16;

/**
 * A limit by address also holds for its network, because an attacker often has a whole network. It holds for no
 * larger one: that belongs to a provider, and a few callers would lock out all of its customers.
 * @param open opens the limiter for each size of network
 */
export function createAddressLimiter(
  open: (name: string, limit: Limit) => Limiter,
  name: string,
  limit: Limit,
): Limiter {
  const ofAddresses = open(name, limit);
  const ofNetworks = open(`${name}${NETWORK_FACTOR}`, { ...limit, most: limit.most * NETWORK_FACTOR });
  return {
    async take(address) {
      const own = await ofAddresses.take(address, address);
      if (own.waitSeconds > 0) return own;
      const [, network] = networksOf(address);
      try {
        const all = await ofNetworks.take(network, address);
        const release = async () => {
          await Promise.all([own.release(), all.release()]);
        };
        return { waitSeconds: all.waitSeconds, release };
      } catch (error) {
        await Promise.allSettled([own.release()]);
        throw error;
      }
    },
  };
}

/** Keys per list: of attempts, and of each size of network. */
const KEYS_MOST = 100_000;
const NETWORKS_MOST = 10_000;

/** `end` is in ms since 1970. */
interface Entry {
  count: number;
  readonly end: number;
  readonly list: number | undefined;
}

/** Counts a bounded number of keys in memory. A count is never dropped before its window ends. */
export function createMemoryCounts(every: number): Counts & { readonly size: () => number } {
  // All windows have the same length, so the oldest end first.
  const entries = new Map<string, Entry>();
  const used = new Map<number | undefined, number>();

  function drop(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    used.set(entry.list, (used.get(entry.list) ?? 0) - 1);
  }

  function dropEnded(now: number): void {
    for (const [key, { end }] of entries) {
      // One that ends much later began before the clock was set back.
      if (end > now && end - now <= longestWindow(every)) return;
      drop(key);
    }
  }

  const hasRoom = (list: number | undefined): boolean =>
    list === undefined || (used.get(list) ?? 0) < (list === 0 ? KEYS_MOST : NETWORKS_MOST);

  return {
    size: () => entries.size,
    async add(key, list) {
      const now = Date.now();
      dropEnded(now);
      const known = entries.get(key);
      if (known && known.end > now) {
        known.count += 1;
        return { count: known.count, left: known.end - now };
      }
      drop(key);
      if (!hasRoom(list)) return undefined;
      entries.set(key, { count: 1, end: now + every, list });
      used.set(list, (used.get(list) ?? 0) + 1);
      return { count: 1, left: every };
    },
    async subtract(key) {
      const entry = entries.get(key);
      if (!entry) return;
      entry.count -= 1;
      if (entry.count <= 0) drop(key);
    },
    async remove(key) {
      drop(key);
    },
  };
}
