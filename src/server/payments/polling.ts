import { expressionBuilder, sql } from 'kysely';
import { q } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { DAY, MINUTE, SKEW } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';

/** The shortest time between two polls of one payment, in ms. */
export const POLL_EVERY = 5_000;

/** Money that came is polled for refunds and disputes, in ms. Banks accept disputes for about half a year. */
export const MONEY_POLLED_EVERY = DAY;
export const MONEY_POLLED_FOR = 180 * DAY;

/** When a payment that a poll has found is polled for refunds and disputes, in ms after it. */
export const REFUNDS_POLLED_AFTER = 10 * MINUTE;

/** When an open payment, or a refund, is polled after its start, in ms; after that once a day. */
const POLL_AFTER = [2 * MINUTE, 10 * MINUTE, 60 * MINUTE];

/** How soon a poll that brought no answer is repeated, in ms. */
const RETRIED_AFTER = 30 * MINUTE;

/** When to poll next. Times are in ms since 1970; `createdAt` may be of a clock that was ahead. */
export const nextPoll = (createdAt: number, now: number): number =>
  POLL_AFTER.map((after) => Math.min(createdAt, now) + after).find((at) => at > now) ?? now + DAY;

const attempt = expressionBuilder<Tables, 'paymentAttempts'>();

/** Between these times, in ms since 1970, a poll was just now. */
export const pollTimes = (now: number) => ({ lately: now - POLL_EVERY, ahead: now + SKEW });

export type PollTimes = ReturnType<typeof pollTimes>;

/** Whether the last poll of a payment was long enough ago. */
export const isPollable = ({ lately, ahead }: PollTimes) =>
  attempt.or([
    attempt('polledAt', 'is', null),
    attempt('polledAt', '<=', lately),
    attempt('polledAt', '>', ahead),
  ]);

/** Whether a payment was stored or polled by a clock that was ahead: its `nextPollAt` means nothing. By an index. */
export const isAhead = ({ ahead }: PollTimes) =>
  sql<boolean>`coalesce(polled_at, created_at) > ${ahead} AND next_poll_at IS NOT NULL`;

/**
 * Claims the next poll of a payment, across all processes: one of them changes the row. The answer decides when it is
 * polled next. Without one, even if the process dies, it is due again soon. A stranger's request reaches a provider only
 * by such a claim. Returns false if the last poll was less than 5 s ago.
 * @param isDue whether only a poll that is due is claimed; else any of a payment whose money has not come
 */
export async function claimPoll(
  { db, clock }: Services,
  { reference, createdAt }: { readonly reference: string; readonly createdAt: number },
  isDue = false,
): Promise<boolean> {
  const now = clock();
  const retryAt = Math.min(nextPoll(createdAt, now), now + RETRIED_AFTER);
  const own = q.updateTable('paymentAttempts').where('reference', '=', reference);
  const times = pollTimes(now);
  const update = own.where(isPollable(times));
  const claim = isDue
    ? update
        .set({ polledAt: now, nextPollAt: retryAt })
        .where(({ eb, or }) => or([eb('nextPollAt', '<=', now), isAhead(times)]))
    : update.set({ polledAt: now }).where('state', 'in', ['open', 'failed']);
  return (await db.write((transaction) => transaction.run(claim))) > 0;
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
