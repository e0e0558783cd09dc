import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { unavailable } from '#scripts/api/http/refusal.ts';
import type { Hashing } from './settings.ts';

export interface Passwords {
  /** @throws Refusal 503 where the queue is full */
  readonly hash: (password: string) => Promise<string>;
  /** Takes equally long when there is no such user, and therefore no stored hash (faults 40). @throws Refusal 503 */
  readonly matches: (stored: string | undefined, password: string) => Promise<boolean>;
  /** How many passwords are hashed now, and how many wait for it. */
  readonly load: () => { readonly running: number; readonly waiting: number };
}

/** Hashes off the event loop, `atOnce` at a time. Up to `queue` more wait for their turn (faults 45). */
export function createPasswords({ atOnce, queue, cost }: Hashing): Passwords {
  const limit = pLimit(atOnce);

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (limit.activeCount + limit.pendingCount >= atOnce + queue) throw unavailable();
    return limit(work);
  }

  const options = { ...cost, parallelism: 1 };
  const dummyHash = hash('no user has this password', options);
  return {
    load: () => ({ running: limit.activeCount, waiting: limit.pendingCount }),
    hash: (password) => inTurn(() => hash(password, options)),
    matches: (stored, password) =>
      inTurn(async () => (await verify(stored ?? (await dummyHash), password)) && stored !== undefined),
  };
}
