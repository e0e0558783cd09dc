import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { unavailable } from '#server/http/refusal.ts';
import type { Settings } from '#server/settings/settings.ts';

/** The origin of a request for a hash. No address and no account may fill the queue. */
export interface Requester {
  readonly address: string;
  /** Of the account, so that all its hashes share its places. */
  readonly email: string;
}

export interface Passwords {
  /** @throws Refusal 503 if the queue is full, or the requester has too much in it */
  readonly hash: (password: string, requester: Requester) => Promise<string>;
  /** Takes equally long without a stored hash, so that nobody learns of an account. @throws Refusal 503 */
  readonly matches: (stored: string | undefined, password: string, requester: Requester) => Promise<boolean>;
  /** How many passwords are being hashed, and how many wait. */
  readonly load: () => { readonly running: number; readonly waiting: number };
}

/** The most hashes of one account that may run or wait. */
const ACCOUNT_SHARE = 3;

/** The share of all places that one address may take. */
const ADDRESS_SHARE = 1 / 4;

/** Keyboards write one letter in several ways (NIST SP 800-63B, 3.1.1.2). */
const typedText = (password: string): string => password.normalize('NFKC');

/** Hashes off the event loop, `atOnce` at a time. Up to `queue` more wait. */
export function createPasswords({ atOnce, queue, cost }: Settings['hashing']): Passwords {
  const limit = pLimit(atOnce);
  const places = atOnce + queue;
  const addressShare = Math.max(ACCOUNT_SHARE, Math.ceil(places * ADDRESS_SHARE));
  const held = new Map<string, number>();

  const hold = (key: string, more: 1 | -1): void => {
    const count = (held.get(key) ?? 0) + more;
    if (count === 0) held.delete(key);
    else held.set(key, count);
  };

  async function inTurn<T>({ address, email }: Requester, work: () => Promise<T>): Promise<T> {
    const shares = [
      [`address ${address}`, addressShare],
      [`account ${email}`, ACCOUNT_SHARE],
    ] as const;
    const isFull = limit.activeCount + limit.pendingCount >= places;
    if (isFull || shares.some(([key, most]) => (held.get(key) ?? 0) >= most)) throw unavailable();
    for (const [key] of shares) hold(key, 1);
    return limit(work).finally(() => {
      for (const [key] of shares) hold(key, -1);
    });
  }

  const options = { ...cost, parallelism: 1 };
  const dummyHash = hash('no account has this password', options);
  return {
    load: () => ({ running: limit.activeCount, waiting: limit.pendingCount }),
    hash: (password, requester) => inTurn(requester, () => hash(typedText(password), options)),
    matches: (stored, password, requester) =>
      inTurn(
        requester,
        async () => (await verify(stored ?? (await dummyHash), typedText(password))) && stored !== undefined,
      ),
  };
}
