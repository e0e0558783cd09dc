import type { Database } from '#server/db/database.ts';
import { createAddressLimiter, type Limiter } from '#server/db/limiter.ts';
import { tooMany } from '#server/http/refusal.ts';
import { forEachLimit, type LimitName, type Limits } from '#server/settings/settings.ts';

/** A limiter, its key, and the caller's address if strangers can invent the key. */
export type CountedKey = readonly [limiter: Limiter, key: string, caller?: string | undefined];

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

async function outcomeOf<T>(attempt: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await attempt() };
  } catch (error) {
    return { error };
  }
}

const isSuccess = (outcome: Outcome<unknown>): boolean => 'value' in outcome;

/**
 * Counts an attempt before it runs, so that parallel attempts cannot exceed the limit. Uncounts it afterwards,
 * unless `counts` accepts its outcome (by default a success). An attempt that a limit refuses is uncounted too, so
 * a burst does not use up the limit. @throws Refusal 429
 */
export async function withLimits<T>(
  limits: readonly CountedKey[],
  attempt: () => T | Promise<T>,
  counts: (outcome: Outcome<T>) => boolean = isSuccess,
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
  const outcome = await outcomeOf(attempt);
  if (!counts(outcome)) await release();
  if ('error' in outcome) throw outcome.error;
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
