import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How often something may be done within a time. */
export interface Limit {
  readonly most: number;
  /** ms */
  readonly every: number;
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
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** @param translated turns an error of the store into the one that callers get */
export function createLimiter(
  store: RateLimiterAbstract,
  { most, every }: Limit,
  translated: (error: unknown) => unknown = (error) => error,
): Limiter {
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

  return {
    async take(name) {
      const key = hashOf(name);
      const window = await countIn(key).catch(orTranslated);
      const end = performance.now() + window.msBeforeNext;
      return {
        waitSeconds: window.consumedPoints > most ? Math.ceil(window.msBeforeNext / 1_000) : 0,
        async giveBack() {
          // After the window's end the library would begin a new window with a count of -1.
          if (performance.now() >= end) return;
          await store.reward(key).catch(orTranslated);
        },
      };
    },
  };
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
