import { setTimeout as pause } from 'node:timers/promises';
import type { Transaction } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import type { Services } from '#server/services/services.ts';
import { type EmailRow, type SendResult, setClaim, storeResult } from './outbox.ts';

const SECOND = 1_000;

/** How long a process has an email for itself, in ms, and how often it renews that while the email is on its way. */
const CLAIM = 30 * SECOND;
const RENEW = 10 * SECOND;

/** How many times storing the end of a try is tried while the database is away, and the pause between, in ms. */
const PATIENCE = { tries: 100, pause: 100 };

/** An email whose success is not stored would be sent again. */
async function patiently(store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (!(error instanceof StorageError) || tries === PATIENCE.tries) throw error;
    }
    await pause(PATIENCE.pause);
  }
}

/** An email that this process has for itself, and for some seconds after it stops to renew that. */
export interface Claim {
  /**
   * Does something in a transaction in which the email still waits for this process. Returns undefined, without doing
   * it, where the email was dropped or another process has claimed it. @throws StorageError
   */
  readonly whileClaimed: <Done>(
    work: (transaction: Transaction) => Promise<Done>,
  ) => Promise<Done | undefined>;
  /** Stores how the try ended. While the database is away, it tries that for ten seconds. @throws StorageError */
  readonly end: (ended: SendResult) => Promise<void>;
  /** Any process may claim the email afterwards, when its time is over. */
  readonly stopRenewing: () => Promise<void>;
}

/** Claims an email for this process. Returns undefined where another one was quicker. @throws StorageError */
export async function claimEmail(services: Services, row: EmailRow): Promise<Claim | undefined> {
  let held = { ...row, nextTryAt: services.clock() + CLAIM };
  const isClaimed = await services.db.write((transaction) => setClaim(transaction, row, held.nextTryAt, 1));
  if (isClaimed === 0) return undefined;

  // One after the other, because each renewal begins where the last one ended.
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
    // Where the database is away, the next one may succeed.
    whileClaimed(async () => undefined).catch(() => undefined);
  }, RENEW);
  const stopRenewing = async (): Promise<void> => {
    clearInterval(timer);
    await last;
  };
  return {
    whileClaimed,
    async end(ended) {
      await stopRenewing();
      await patiently(() =>
        services.db.write((transaction) => storeResult(transaction, services.clock(), held, ended)),
      );
    },
    stopRenewing,
  };
}
