import { hash, verify } from '@node-rs/argon2';
import { unavailable } from './http/refusal.ts';
import type { Hashing } from './settings.ts';

export interface Passwords {
  /** @throws Refusal 503 when the queue is full */
  readonly hash: (password: string) => Promise<string>;
  /** Takes the same time where there is no hash, that is no such user (faults 40). @throws Refusal 503 */
  readonly matches: (stored: string | undefined, password: string) => Promise<boolean>;
}

/** Hashes off the event loop, `atOnce` at a time with a queue behind them (faults 45). */
export function createPasswords({ atOnce, queue, cost }: Hashing): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= queue) throw unavailable();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  const options = { ...cost, parallelism: 1 };
  const nobody = hash('no user has this password', options);
  return {
    hash: (password) => inTurn(() => hash(password, options)),
    matches: (stored, password) =>
      inTurn(async () => (await verify(stored ?? (await nobody), password)) && stored !== undefined),
  };
}
