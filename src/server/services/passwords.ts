import { hash, verify } from '@node-rs/argon2';
import type { Payers } from '#server/limits/counts.ts';
import type { Lanes } from '#server/limits/queue.ts';
import type { LaneName } from '#server/limits/table.ts';
import type { Settings } from '#server/settings/settings.ts';

/** The lane in which a password is hashed, and who pays for the place. */
export interface Requester {
  readonly lane: Extract<LaneName, `${string}${'h' | 'H'}ash${string}`>;
  readonly payers: Payers;
}

export interface Passwords {
  /** @throws Refusal 503 if the lane is full, or the requester has too much in it */
  readonly hash: (password: string, requester: Requester) => Promise<string>;
  /** Takes equally long without a stored hash, so that nobody learns of an account. @throws Refusal 503 */
  readonly matches: (stored: string | undefined, password: string, requester: Requester) => Promise<boolean>;
}

/** Hashes off the event loop. */
export function createPasswords({ cost }: Settings['hashing'], { inLane }: Lanes): Passwords {
  const options = { ...cost, parallelism: 1 };
  const dummyHash = hash('no account has this password', options);
  return {
    hash: (password, { lane, payers }) => inLane(lane, payers, () => hash(password, options)),
    matches: (stored, password, { lane, payers }) =>
      inLane(
        lane,
        payers,
        async () => (await verify(stored ?? (await dummyHash), password)) && stored !== undefined,
      ),
  };
}
