import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { networkOf } from '#server/http/client-address.ts';
import { tooMany } from '#server/http/refusal.ts';
import { HOUR, SECOND } from '#server/process/clock.ts';
import { forEachLimit, type Limit, type LimitName, type Limits } from '#server/settings/settings.ts';

/** Counts an attempt. Returns a function that uncounts it. @throws Refusal 429, which is not counted */
type Take = () => Promise<() => Promise<unknown>>;

/** Returns what an attempt of this key has to take. */
export type Limiter = (key: string) => readonly Take[];

/** Keys contain emails and addresses, so only their hashes are stored. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/**
 * Counts an attempt, unless the window of its key already has `most`. A key without attempts begins a new window, and so
 * does one whose window has ended. One that ends much later than a new one began before the clock was set back, and
 * would block for too long. The clocks of several machines may differ a little.
 */
function countQuery(key: string, now: number, { most, every }: Limit) {
  const isOpen = sql`rate_limits.count > 0 AND rate_limits.ends_at > ${now}
    AND rate_limits.ends_at <= ${now + every + Math.min(every, HOUR)}`;
  return sql<{ endsAt: number }>`
    INSERT INTO rate_limits (key, count, ends_at) VALUES (${key}, 1, ${now + every})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${isOpen} THEN rate_limits.count + 1 ELSE 1 END,
      ends_at = CASE WHEN ${isOpen} THEN rate_limits.ends_at ELSE excluded.ends_at END
    WHERE rate_limits.count < ${most} OR NOT (${isOpen})
    RETURNING ends_at AS "endsAt"`;
}

/** Must not reduce the count of a later window. */
const uncountQuery = (key: string, endsAt: number) =>
  sql`UPDATE rate_limits SET count = count - 1 WHERE key = ${key} AND ends_at = ${endsAt}`;

function createLimiter({ rateLimits }: Database, name: string, limit: Limit): Limiter {
  // A sliding limit has one key per attempt, whose window begins with that attempt.
  const [most, ofKey] = limit.sliding ? [limit.most, { ...limit, most: 1 }] : [1, limit];

  async function take(text: string): ReturnType<Take> {
    const now = Date.now();
    const keys: string[] = [];
    while (keys.length < most) {
      const key = hashOf(`${name} ${text}#${keys.length}`);
      const counted = await rateLimits.row(countQuery(key, now, ofKey));
      if (counted) return () => rateLimits.run(uncountQuery(key, counted.endsAt));
      keys.push(key);
    }
    const soonest = sql<{ endsAt: number | null }>`
      SELECT min(ends_at) AS "endsAt" FROM rate_limits WHERE key IN (${sql.join(keys)})`;
    const { endsAt } = (await rateLimits.row(soonest)) ?? {};
    throw tooMany(Math.max(1, Math.ceil(((endsAt ?? now) - now) / SECOND)));
  }
  return (text) => [() => take(text)];
}

/** A network (/24, /48) may do this many times as much as one address. */
const NETWORK_FACTOR = 16;

/**
 * A limit by address also holds for its network, because an attacker often has a whole network. It holds for no
 * larger one: that belongs to a provider, and a few callers would lock out all of its customers.
 */
function openLimiter(db: Database, name: string, limit: Limit): Limiter {
  const limiter = createLimiter(db, name, limit);
  if (!limit.byAddress) return limiter;
  const ofNetworks = createLimiter(db, name, { ...limit, most: limit.most * NETWORK_FACTOR });
  return (address) => [...limiter(address), ...ofNetworks(networkOf(address))];
}

/** @param prefix separates the counts of the staff from those of the customers */
export const openLimiters = (
  db: Database,
  limits: Limits,
  prefix = '',
): Readonly<Record<LimitName, Limiter>> =>
  forEachLimit((_, name) => openLimiter(db, `${prefix}${name}`, limits[name]));

/** Deletes the counts of windows that have ended. */
export const dropEndedWindows = ({ db }: { readonly db: Database }): Promise<number> =>
  db.rateLimits.run(sql`DELETE FROM rate_limits WHERE ends_at <= ${Date.now()}`);

/**
 * Counts an attempt before it runs, so that parallel attempts cannot exceed the limit. Uncounts it afterwards,
 * unless `counts` accepts its outcome (by default a success). An attempt that a limit refuses is uncounted too, so
 * a burst does not use up the others. @throws Refusal 429
 */
export async function withLimits<T>(
  limits: readonly (readonly Take[])[],
  attempt: () => T | Promise<T>,
  counts: (outcome: PromiseSettledResult<T>) => boolean = ({ status }) => status === 'fulfilled',
): Promise<T> {
  const releases: (() => Promise<unknown>)[] = [];
  // The outcome counts even if the database is unreachable and the attempt stays counted.
  const release = () => Promise.allSettled(releases.map((each) => each()));
  try {
    for (const take of limits.flat()) releases.push(await take());
  } catch (error) {
    await release();
    throw error;
  }
  const [outcome] = await Promise.allSettled([(async () => attempt())()]);
  if (!counts(outcome)) await release();
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
