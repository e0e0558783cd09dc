import { RateLimiterMemory } from 'rate-limiter-flexible';

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
