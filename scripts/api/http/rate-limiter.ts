import type { Clock } from '#scripts/api/clock.ts';
import type { Limit } from '#scripts/api/settings.ts';
import { tooMany } from './refusal.ts';

/** How many keys are remembered. Each further key replaces the oldest, so that strangers cannot fill the memory. */
const KEYS_MOST = 100_000;

export interface RateLimiter {
  /** Counts an attempt. Returns 0, or the seconds to wait where none is left. */
  readonly take: (key: string) => number;
  /** Uncounts an attempt. */
  readonly giveBack: (key: string) => void;
}

/**
 * Allows `most` attempts for each key within `every` ms of the first one. If the clock was set back, a window may seem to
 * end later than a new one would. Such a window is dropped.
 */
export function createRateLimiter({ most, every }: Limit, clock: Clock): RateLimiter {
  const windows = new Map<string, { count: number; until: number }>();

  function windowOf(key: string): { count: number; until: number } {
    const known = windows.get(key);
    const now = clock();
    if (known && known.until > now && known.until <= now + every) return known;
    windows.delete(key);
    const [oldest] = windows.keys();
    if (windows.size >= KEYS_MOST && oldest !== undefined) windows.delete(oldest);
    const fresh = { count: 0, until: now + every };
    windows.set(key, fresh);
    return fresh;
  }

  return {
    take(key) {
      const window = windowOf(key);
      if (window.count >= most) return Math.ceil((window.until - clock()) / 1_000);
      window.count += 1;
      return 0;
    },
    giveBack(key) {
      const window = windows.get(key);
      if (window && window.count > 0) window.count -= 1;
    },
  };
}

/**
 * Counts an attempt before it is made, so that many at once cannot slip past the limit, and uncounts it afterwards
 * unless `counts` says that its outcome counts. @throws Refusal 429
 */
export async function withLimits<T>(
  limits: readonly (readonly [RateLimiter, string])[],
  attempt: () => T | Promise<T>,
  counts: (outcome: { value: T } | { error: unknown }) => boolean,
): Promise<T> {
  const taken: (readonly [RateLimiter, string])[] = [];
  const giveBack = () => {
    for (const [limiter, key] of taken) limiter.giveBack(key);
  };
  for (const [limiter, key] of limits) {
    const wait = limiter.take(key);
    if (wait > 0) {
      giveBack();
      throw tooMany(wait);
    }
    taken.push([limiter, key]);
  }
  try {
    const value = await attempt();
    if (!counts({ value })) giveBack();
    return value;
  } catch (error) {
    if (!counts({ error })) giveBack();
    throw error;
  }
}
