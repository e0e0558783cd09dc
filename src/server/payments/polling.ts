import type { Services } from '#server/services/services.ts';

/** The shortest time between two questions to a provider about one payment, in ms. */
export const POLL_EVERY = 5_000;

/**
 * Claims the next question to a provider about a payment, for all processes. Returns false where one was asked less than
 * 5 s ago, and where the provider has called its state final. A stranger's request asks nothing without such a claim.
 */
export async function claimPoll({ db, clock }: Services, reference: string): Promise<boolean> {
  const now = clock();
  const claimed = await db.write((transaction) =>
    transaction.run(
      `UPDATE payments SET polled_at = ? WHERE reference = ? AND next_poll_at IS NOT NULL
       AND (polled_at IS NULL OR polled_at <= ?)`,
      now,
      reference,
      now - POLL_EVERY,
    ),
  );
  return claimed > 0;
}

/** Returns a function that joins the work which is under way for a key in this process, or else begins it. */
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

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How long after its start an open payment is asked for at its provider, and from then on once a day. In ms. */
const POLL_AFTER = [2 * MINUTE, 10 * MINUTE, 60 * MINUTE];

/** The time from one question to the next, in ms. @param polls how often it was asked for until now */
export const pollDelay = (polls: number): number => {
  const after = POLL_AFTER[polls];
  return after === undefined ? DAY : after - (POLL_AFTER[polls - 1] ?? 0);
};
