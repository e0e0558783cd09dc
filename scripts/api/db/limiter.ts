import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How often something may be done within a time. */
export interface Limit {
  readonly most: number;
  /** ms */
  readonly every: number;
  /**
   * Whether `most` holds for any stretch of this length. Otherwise a key's window begins with its first attempt, and twice
   * as many may lie around its end. It costs up to `most` questions to the store, so it is for small limits.
   */
  readonly sliding?: boolean;
}

export interface CountedAttempt {
  /** 0 if the limit allows the attempt, otherwise the seconds to wait for the next one */
  readonly waitSeconds: number;
  /** Uncounts the attempt. @throws StorageError */
  readonly giveBack: () => Promise<void>;
}

/** Counts attempts by key. A key's window of time begins with the first of its attempts. */
export interface Limiter {
  /** Counts an attempt, whether the limit allows it or not. @throws StorageError */
  readonly take: (key: string) => Promise<CountedAttempt>;
}

/** Keys hold emails and addresses, so only their hashes are kept. */
const keyOf = (name: string): string => createHash('sha256').update(name).digest('base64url');

/** How many attempts a key of the store allows. A sliding limit has a key for each attempt, whose window that attempt begins. */
export const pointsOf = ({ most, sliding = false }: Limit): number => (sliding ? 1 : most);

/** @param translated turns an error of the store into the one that callers get */
export function createLimiter(
  store: RateLimiterAbstract,
  limit: Limit,
  translated: (error: unknown) => unknown = (error) => error,
): Limiter {
  const { most, every, sliding = false } = limit;
  const points = pointsOf(limit);

  const consume = (key: string): Promise<RateLimiterRes> =>
    store.consume(key).catch((reason: unknown) => {
      // The library rejects with a result where the limit is exceeded.
      if (reason instanceof RateLimiterRes) return reason;
      throw reason;
    });

  async function countIn(key: string): Promise<RateLimiterRes> {
    const window = await consume(key);
    // The clocks of several machines may differ a little, hence the 2. A window that ends even later began before the
    // clock was set back, and would block for too long.
    if (window.msBeforeNext <= 2 * every) return window;
    await store.delete(key);
    return consume(key);
  }

  const orTranslated = (error: unknown): never => {
    throw translated(error);
  };

  async function take(name: string): Promise<CountedAttempt> {
    let soonest = Number.POSITIVE_INFINITY;
    for (let slot = 0; slot < (sliding ? most : 1); slot += 1) {
      const key = sliding ? `${name}#${slot}` : name;
      const window = await countIn(key).catch(orTranslated);
      const isAllowed = window.consumedPoints <= points;
      soonest = Math.min(soonest, window.msBeforeNext);
      if (sliding && !isAllowed) continue;
      const end = performance.now() + window.msBeforeNext;
      return {
        waitSeconds: isAllowed ? 0 : Math.ceil(soonest / 1_000),
        async giveBack() {
          // After the window's end the library would begin a new window with a count of -1.
          if (performance.now() >= end) return;
          await (sliding ? store.delete(key) : store.reward(key)).catch(orTranslated);
        },
      };
    }
    return { waitSeconds: Math.ceil(soonest / 1_000), giveBack: async () => {} };
  }

  return { take: (name) => take(keyOf(name)) };
}

const KEYS_MOST = 100_000;

/**
 * Remembers the 100,000 keys that were used last. The library remembers every key until its window ends, so strangers
 * could fill the memory with keys.
 */
export class BoundedMemoryLimiter extends RateLimiterMemory {
  readonly #keys = new Set<string | number>();

  override consume(
    ...given: Parameters<RateLimiterMemory['consume']>
  ): ReturnType<RateLimiterMemory['consume']> {
    const [key] = given;
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > KEYS_MOST && oldest !== undefined) {
      this.#keys.delete(oldest);
      void this.delete(oldest);
    }
    return super.consume(...given);
  }
}
