import { expressionBuilder } from 'kysely';
import { q } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { DAY, MINUTE } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';

/** The shortest time between two polls of one payment, in ms. */
export const POLL_EVERY = 5_000;

const payment = expressionBuilder<Tables, 'payments'>();

/** Whether the last poll of a payment was long enough ago. @param lately `POLL_EVERY` ago, in ms since 1970 */
export const isPollable = (lately: number) =>
  payment.or([payment('polledAt', 'is', null), payment('polledAt', '<=', lately)]);

/**
 * Claims the next poll of a payment, across all processes. Returns false if the last one was less than 5 s ago, or
 * its money came. A stranger's request reaches a provider only by such a claim.
 */
export async function claimPoll({ db, clock }: Services, reference: string): Promise<boolean> {
  const now = clock();
  const claimed = await db.write((transaction) =>
    transaction.run(
      q
        .updateTable('payments')
        .set({ polledAt: now })
        .where('reference', '=', reference)
        .where('state', 'in', ['started', 'failed'])
        .where(isPollable(now - POLL_EVERY)),
    ),
  );
  return claimed > 0;
}

/** Returns a function that shares running work by its key within this process. */
export function createShared<T>(): (key: string, begin: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, begin) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const begun = begin().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

/** Money that came is polled for refunds and disputes, in ms. Banks accept disputes for about half a year. */
export const MONEY_POLLED_EVERY = DAY;
export const MONEY_POLLED_FOR = 180 * DAY;

/** When an open payment is polled after its start, in ms; after that once a day. */
const POLL_AFTER = [2 * MINUTE, 10 * MINUTE, 60 * MINUTE];

/** The time until the next poll, in ms. @param polls how many there were */
export const pollDelay = (polls: number): number => {
  const after = POLL_AFTER[polls];
  return after === undefined ? DAY : after - (POLL_AFTER[polls - 1] ?? 0);
};
