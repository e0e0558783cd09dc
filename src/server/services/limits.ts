import type { Database } from '#server/db/database.ts';
import { createAddressLimiter, type Limiter } from '#server/db/limiter.ts';
import { tooMany } from '#server/http/refusal.ts';
import { forEachLimit, type LimitName, type Limits } from '#server/settings/settings.ts';

/** A limiter, its key, and the caller's address if strangers can invent the key. */
export type CountedKey = readonly [limiter: Limiter, key: string, caller?: string | undefined];

/**
 * Counts an attempt before it runs, so that parallel attempts cannot exceed the limit. Uncounts it afterwards,
 * unless `counts` accepts its outcome (by default a success). An attempt that a limit refuses is uncounted too, so
 * a burst does not use up the limit. @throws Refusal 429
 */
export async function withLimits<T>(
  limits: readonly CountedKey[],
  attempt: () => T | Promise<T>,
  counts: (outcome: PromiseSettledResult<T>) => boolean = ({ status }) => status === 'fulfilled',
): Promise<T> {
  const releases: (() => Promise<void>)[] = [];
  // The outcome counts even if the database is unreachable and the attempt stays counted.
  const release = () => Promise.allSettled(releases.map((each) => each()));
  try {
    for (const [limiter, key, caller] of limits) {
      const taken = await limiter.take(key, caller);
      releases.push(taken.release);
      if (taken.waitSeconds > 0) throw tooMany(taken.waitSeconds);
    }
  } catch (error) {
    await release();
    throw error;
  }
  const [outcome] = await Promise.allSettled([(async () => attempt())()]);
  if (!counts(outcome)) await release();
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** @param prefix separates the counts of the staff from those of the customers */
export const openLimiters = (
  db: Database,
  limits: Limits,
  prefix = '',
): Readonly<Record<LimitName, Limiter>> =>
  forEachLimit(({ byAddress = false }, name) =>
    byAddress
      ? createAddressLimiter(db.openLimiter, `${prefix}${name}`, limits[name])
      : db.openLimiter(`${prefix}${name}`, limits[name]),
  );
