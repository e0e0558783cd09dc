import type { Clock } from '#scripts/api/clock.ts';
import type { Limit } from '#scripts/api/settings.ts';

/** Keys remembered at once; the oldest is forgotten first, so that strangers cannot fill the memory. */
const KEYS_MOST = 100_000;

export interface Limiter {
  /** Counts one. Returns 0, or the seconds to wait when there are none left. */
  readonly take: (key: string) => number;
  /** Uncounts one that turned out not to count. */
  readonly giveBack: (key: string) => void;
}

/** At most `most` per key in a window of `every` ms that starts with the first, whatever happens to the clock. */
export function createLimiter({ most, every }: Limit, clock: Clock): Limiter {
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
