import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import type { Caller } from '#server/http/caller.ts';
import { tooMany } from '#server/http/refusal.ts';
import { HOUR, SECOND } from '#server/process/clock.ts';
import { COUNTS, type Count, type CountName, KEPT_PART, NETWORK_FACTOR } from './table.ts';

/** Who pays for a request. */
export interface Payers extends Caller {
  /** Of a customer, once it is certain who sends the request. */
  readonly account?: string | undefined;
  readonly email?: string;
  /** What is guessed, such as the password of an account. */
  readonly target?: string;
}

type Shares<Name extends CountName> = keyof (typeof COUNTS)[Name];

/** The payers whom these rows name, so that none is forgotten. */
type PayersOf<Name extends CountName> = Payers &
  Record<Extract<Shares<Name>, 'account' | 'email'>, string> &
  Record<Extract<Shares<Name>, 'guess' | 'target'> extends never ? never : 'target', string>;

/**
 * Counts an attempt for all who pay for it before it runs, so that parallel attempts cannot exceed a share. Uncounts it
 * afterwards, unless `isCounted` accepts its outcome (by default a success). A refused attempt is uncounted too, so that a
 * burst does not use up the other shares. @throws Refusal 429
 */
export type Spend = <Name extends CountName, T>(
  names: readonly Name[],
  payers: PayersOf<Name>,
  attempt: () => T | Promise<T>,
  isCounted?: (outcome: PromiseSettledResult<T>) => boolean,
) => Promise<T>;

/** Counts a wrong guess, which the attempt returns as undefined. */
export const isWrong = (outcome: PromiseSettledResult<unknown>): boolean =>
  outcome.status === 'fulfilled' && outcome.value === undefined;

/** A share of this many, or fewer, holds for any stretch of time, at the price of as many queries. */
const MOST_SLIDING = 10;

/** `kept` is the share of a line whose network has used up its own. */
type Share = readonly [key: string, most: number, kept?: Share];

/** The line comes first, then its network: what they refuse takes nothing of others, and leaves no row of them. */
function sharesOf({ line, guess, target, account, email }: Count, payers: Payers, factor: number): Share[] {
  const ofLine = (key: string, most: number): Share[] => [
    [`${key}line ${payers.line}`, most],
    [
      `${key}network ${payers.network}`,
      most * NETWORK_FACTOR,
      [`${key}kept ${payers.line}`, Math.ceil(most / KEPT_PART)],
    ],
  ];
  return [
    ...ofLine('', line * factor),
    ...(guess ? ofLine(`${payers.target} of `, guess) : []),
    ...(target ? [[`target ${payers.target}`, target] as const] : []),
    ...(account ? [[`account ${payers.account}`, account * factor] as const] : []),
    ...(email ? [[`email ${payers.email}`, email * factor] as const] : []),
  ];
}

/** Keys contain emails and addresses, so only their hashes are stored. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/**
 * Counts an attempt, unless the window of its key already has `most`. A key without attempts begins a new window, and so
 * does one whose window has ended. One that ends much later than a new one began before the clock was set back, and
 * would block for too long. The clocks of several machines may differ a little.
 */
function countQuery(key: string, now: number, most: number, every: number) {
  const isOpen = sql`rate_limits.ends_at > ${now}
    AND rate_limits.ends_at <= ${now + every + Math.min(every, HOUR)}`;
  return sql<{ endsAt: number }>`
    INSERT INTO rate_limits (key, count, ends_at) VALUES (${key}, 1, ${now + every})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${isOpen} THEN rate_limits.count + 1 ELSE 1 END,
      ends_at = CASE WHEN ${isOpen} THEN rate_limits.ends_at ELSE excluded.ends_at END
    WHERE rate_limits.count < ${most} OR NOT (${isOpen})
    RETURNING ends_at AS "endsAt"`;
}

/** How many rows one statement deletes, so that other requests are served in between. */
const SLICE = 500;

/** Deletes the counts of windows that have ended. */
export async function dropEndedWindows({ db: { rateLimits } }: { readonly db: Database }): Promise<void> {
  const ended = sql`DELETE FROM rate_limits WHERE key IN
    (SELECT key FROM rate_limits WHERE ends_at <= ${Date.now()} LIMIT ${SLICE})`;
  while ((await rateLimits.run(ended)) === SLICE) await turn();
}

/** @param factor LIMIT_FACTOR, for all shares but those of guesses. @param prefix of keys that are counted apart */
export function openCounts(
  { rateLimits }: Database,
  factor: number,
  counts: Readonly<Record<CountName, Count>> = COUNTS,
  prefix = '',
): Spend {
  /** Must not reduce the count of a later window. A count that falls to 0 is deleted: a stranger causes many. */
  async function release(key: string, endsAt: number): Promise<void> {
    const ofWindow = sql`WHERE key = ${key} AND ends_at = ${endsAt}`;
    if ((await rateLimits.run(sql`DELETE FROM rate_limits ${ofWindow} AND count <= 1`)) === 0)
      await rateLimits.run(sql`UPDATE rate_limits SET count = count - 1 ${ofWindow}`);
  }

  /** Returns a function that uncounts the attempt. @throws Refusal 429, which is not counted */
  async function take(row: string, [of, most, kept]: Share, every: number): Promise<() => Promise<void>> {
    const now = Date.now();
    // A sliding share has one key per attempt, whose window begins with that attempt.
    const [count, ofKey] = most <= MOST_SLIDING ? [most, 1] : [1, most];
    const keys: string[] = [];
    while (keys.length < count) {
      const key = hashOf(`${row} ${of}#${keys.length}`);
      const counted = await rateLimits.row(countQuery(key, now, ofKey, every));
      if (counted) return () => release(key, counted.endsAt);
      keys.push(key);
    }
    if (kept) return take(row, kept, every);
    const soonest = sql<{ endsAt: number | null }>`
      SELECT min(ends_at) AS "endsAt" FROM rate_limits WHERE key IN (${sql.join(keys)})`;
    const { endsAt } = (await rateLimits.row(soonest)) ?? {};
    throw tooMany(Math.max(1, Math.ceil(((endsAt ?? now) - now) / SECOND)));
  }

  return async (names, payers, attempt, isCounted = ({ status }) => status === 'fulfilled') => {
    const releases: (() => Promise<void>)[] = [];
    // The outcome counts even if the database is unreachable and the attempt stays counted.
    const releaseAll = () => Promise.allSettled(releases.map((each) => each()));
    try {
      for (const name of names)
        for (const share of sharesOf(counts[name], payers, factor))
          releases.push(await take(prefix + name, share, counts[name].every));
    } catch (error) {
      await releaseAll();
      throw error;
    }
    const [outcome] = await Promise.allSettled([(async () => attempt())()]);
    if (!isCounted(outcome)) await releaseAll();
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
}
