import { setTimeout as pause } from 'node:timers/promises';
import type { Transaction } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import { SECOND } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { type EmailRow, type SendResult, setClaim, storeResult } from './outbox.ts';

/** How long a claim lasts, and how often it is renewed while the email is being sent. In ms. */
const CLAIM = 30 * SECOND;
const RENEW_EVERY = 10 * SECOND;

/** Retries of storing a result while the database is down. The pause is in ms. */
const STORE_RETRIES = { tries: 100, pause: 100 };

/** Retries, because an email whose success is not stored would be sent again. */
async function storeWithRetries(store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (!(error instanceof StorageError) || tries === STORE_RETRIES.tries) throw error;
    }
    await pause(STORE_RETRIES.pause);
  }
}

export interface Claim {
  /**
   * Runs `work` in a transaction in which the claim still holds. Returns undefined, without running it, if the email was
   * dropped or claimed by another process. @throws StorageError
   */
  readonly whileClaimed: <Done>(
    work: (transaction: Transaction) => Promise<Done>,
  ) => Promise<Done | undefined>;
  /** Stores the result. Retries for ten seconds while the database is down. @throws StorageError */
  readonly end: (result: SendResult) => Promise<void>;
  /** Lets the claim expire, so that any process may claim the email. */
  readonly stopRenewing: () => Promise<void>;
}

/** Claims an email for this process. Returns undefined if another process was quicker. @throws StorageError */
export async function claimEmail(services: Services, row: EmailRow): Promise<Claim | undefined> {
  let held = { ...row, nextTryAt: services.clock() + CLAIM };
  const isClaimed = await services.db.write((transaction) => setClaim(transaction, row, held.nextTryAt, 1));
  if (isClaimed === 0) return undefined;

  // One after the other, because each renewal compares the time that the last one stored.
  let last: Promise<unknown> = Promise.resolve();
  const whileClaimed: Claim['whileClaimed'] = (work) => {
    const next = last.then(async () => {
      const until = services.clock() + CLAIM;
      const done = await services.db.write(async (transaction) =>
        (await setClaim(transaction, held, until, 0)) > 0 ? { value: await work(transaction) } : undefined,
      );
      if (done) held = { ...held, nextTryAt: until };
      return done?.value;
    });
    last = next.catch(() => undefined);
    return next;
  };

  const timer = setInterval(() => {
    // If the database is down, the next renewal may succeed.
    whileClaimed(async () => undefined).catch(() => undefined);
  }, RENEW_EVERY);
  const stopRenewing = async (): Promise<void> => {
    clearInterval(timer);
    await last;
  };
  return {
    whileClaimed,
    async end(result) {
      await stopRenewing();
      await storeWithRetries(() =>
        services.db.write((transaction) => storeResult(transaction, services.clock(), held, result)),
      );
    },
    stopRenewing,
  };
}
