import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import type { Caller } from '#server/http/caller.ts';
import { tooMany } from '#server/http/refusal.ts';
import { SECOND, SKEW } from '#server/process/clock.ts';
import { COUNTS, type Count, type CountName, type Counts, KEPT_PART, NETWORK_FACTOR } from './table.ts';

/** The caller and the other identities that a request counts towards. */
export interface Payers extends Caller {
  /** The account, once it is certain who sends the request. */
  readonly account?: string | undefined;
  readonly email?: string;
  /** What is guessed, such as the password of an account. */
  readonly target?: string;
}

/** Returns a caller whose shares are separate from those of its line and network, for example for the staff. */
export const apart = (kind: string, { line, network }: Caller): Caller => ({
  line: `${kind} ${line}`,
  network: `${kind} ${network}`,
});

type Shares<Name extends CountName> = keyof (typeof COUNTS)[Name];

/** Makes each payer that these rows name required. */
type PayersOf<Name extends CountName> = Payers &
  Record<Extract<Shares<Name>, 'account' | 'email'>, string> &
  Record<Extract<Shares<Name>, 'guess' | 'target'> extends never ? never : 'target', string>;

/** Counts only wrong guesses, for which the attempt returns undefined. */
export const isWrong = (outcome: PromiseSettledResult<unknown>): boolean =>
  outcome.status === 'fulfilled' && outcome.value === undefined;

/** Shares up to this use a sliding window, which takes up to as many queries. */
const MAX_SLIDING = 10;

interface Share {
  readonly key: string;
  readonly max: number;
  /** What a line still has when its network's share is used up. */
  readonly kept?: Share;
}

/** Line and network come first: an attempt that they refuse writes no row for the other shares. */
function sharesOf({ line, guess, target, account, email }: Count, payers: Payers, factor: number): Share[] {
  const kept = (of: string, max: number) => ({
    key: `${of}kept ${payers.line}`,
    max: Math.ceil(max / KEPT_PART),
  });
  const ofLine = (of: string, max: number): Share[] => [
    { key: `${of}line ${payers.line}`, max },
    { key: `${of}network ${payers.network}`, max: max * NETWORK_FACTOR, kept: kept(of, max) },
  ];
  return [
    ...ofLine('', line * factor),
    ...(guess ? ofLine(`${payers.target} of `, guess) : []),
    ...(target ? [{ key: `target ${payers.target}`, max: target }] : []),
    ...(account ? [{ key: `account ${payers.account}`, max: account * factor }] : []),
    ...(email ? [{ key: `email ${payers.email}`, max: email * factor }] : []),
  ];
}

/** Keys contain emails and addresses, so only their hashes are stored. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/**
 * Counts an attempt, unless the open window of its key already has `max`. Without an open window, begins one. A window
 * that ends later than a new one is from before the clock was set back, and does not count as open.
 */
function countQuery(key: string, now: number, max: number, every: number) {
  const isOpen = sql`rate_limits.ends_at > ${now}
    AND rate_limits.ends_at <= ${now + every + SKEW}`;
  return sql<{ endsAt: number }>`
    INSERT INTO rate_limits (key, count, ends_at) VALUES (${key}, 1, ${now + every})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${isOpen} THEN rate_limits.count + 1 ELSE 1 END,
      ends_at = CASE WHEN ${isOpen} THEN rate_limits.ends_at ELSE excluded.ends_at END
    WHERE rate_limits.count < ${max} OR NOT (${isOpen})
    RETURNING ends_at AS "endsAt"`;
}

type Release = () => Promise<void>;

/** How many rows one statement deletes, so that other requests are served in between. */
const SLICE = 500;

/** Deletes the counts of windows that have ended. */
export async function dropEndedWindows({ db: { rateLimits } }: { readonly db: Database }): Promise<void> {
  const ended = sql`DELETE FROM rate_limits WHERE key IN
    (SELECT key FROM rate_limits WHERE ends_at <= ${Date.now()} LIMIT ${SLICE})`;
  while ((await rateLimits.run(ended)) === SLICE) await turn();
}

/** @param factor LIMIT_FACTOR, which multiplies all shares except those for guesses */
export function openCounts({ rateLimits }: Database, factor: number, counts: Counts = COUNTS) {
  /** Leaves a later window alone. Deletes a count that falls to 0, because strangers cause many. */
  async function release(key: string, endsAt: number): Promise<void> {
    const ofWindow = sql`WHERE key = ${key} AND ends_at = ${endsAt}`;
    if ((await rateLimits.run(sql`DELETE FROM rate_limits ${ofWindow} AND count <= 1`)) === 0)
      await rateLimits.run(sql`UPDATE rate_limits SET count = count - 1 ${ofWindow}`);
  }

  /** Returns a function that uncounts the attempt. @throws Refusal 429, which is not counted */
  async function take(row: string, { key: of, max, kept }: Share, every: number): Promise<Release> {
    const now = Date.now();
    // A sliding share has one key per attempt, whose window begins with that attempt.
    const [windows, ofWindow] = max <= MAX_SLIDING ? [max, 1] : [1, max];
    const keys = Array.from({ length: windows }, (_, index) => hashOf(`${row} ${of}#${index}`));
    for (const key of keys) {
      const counted = await rateLimits.row(countQuery(key, now, ofWindow, every));
      if (counted) return () => release(key, counted.endsAt);
    }
    if (kept) return take(row, kept, every);
    const soonest = sql<{ endsAt: number | null }>`
      SELECT min(ends_at) AS "endsAt" FROM rate_limits WHERE key IN (${sql.join(keys)})`;
    const { endsAt } = (await rateLimits.row(soonest)) ?? {};
    throw tooMany(Math.max(1, Math.ceil(((endsAt ?? now) - now) / SECOND)));
  }

  /**
   * Counts an attempt for all who pay for it before it runs, so that parallel attempts cannot exceed a share. Uncounts it
   * afterwards, unless `isCounted` accepts its outcome (by default a success). A refused attempt is uncounted too, so that
   * a burst does not use up the other shares. @throws Refusal 429
   */
  return async function spend<Name extends CountName, T>(
    names: readonly Name[],
    payers: PayersOf<Name>,
    attempt: () => T | Promise<T>,
    isCounted: (outcome: PromiseSettledResult<T>) => boolean = ({ status }) => status === 'fulfilled',
  ): Promise<T> {
    const releases: Release[] = [];
    let isAllowed = false;
    const run = async () => {
      for (const name of names)
        for (const share of sharesOf(counts[name], payers, factor))
          releases.push(await take(name, share, counts[name].every));
      isAllowed = true;
      return attempt();
    };
    const [outcome] = await Promise.allSettled([run()]);
    // If the database is unreachable, the attempt stays counted, and the outcome is returned all the same.
    if (!isAllowed || !isCounted(outcome)) await Promise.allSettled(releases.map((each) => each()));
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
}

export type Spend = ReturnType<typeof openCounts>;
