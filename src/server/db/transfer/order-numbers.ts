import { type RawBuilder, sql } from 'kysely';
import * as v from 'valibot';
import { formatMoment } from '#domain/date.ts';
import { BEFORE_FIRST_ORDER } from '#domain/order-number.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { NAMED, setMeta } from '#server/db/meta.ts';
import { DAY, isoTime } from '#server/process/clock.ts';

/*
 * The shop took orders after its backup, and their customers know their numbers. So that no new order gets one of these
 * numbers, a restored shop skips some.
 */

/** In orders. */
const MIN_GAP = 1_000;

/**
 * The gap covers this many days more than have passed since the newest order, each as large as the busiest day. Up to this
 * many days are added at random.
 */
const MIN_DAYS = 10;

/** How each database counts its orders: the last number that was given, and what sets it. */
interface Counter {
  readonly last: RawBuilder<{ readonly last: number }>;
  readonly set: (last: number) => readonly RawBuilder<unknown>[];
}

const SQLITE: Counter = {
  last: sql`SELECT coalesce(max(seq), 0) AS last FROM sqlite_sequence WHERE name = 'orders'`,
  set: (last) => [
    sql`DELETE FROM sqlite_sequence WHERE name = 'orders'`,
    sql`INSERT INTO sqlite_sequence (name, seq) VALUES ('orders', ${sql.lit(last)})`,
  ],
};

const POSTGRES: Counter = {
  last: sql`SELECT last_value AS last FROM orders_number_seq`,
  set: (last) => [sql`SELECT setval('orders_number_seq', ${sql.lit(last)})`],
};

const ORDERS = sql<{ newest: number; busiest: number }>`SELECT coalesce(max(created_at), 0) AS newest,
  (SELECT coalesce(max(orders), 0) FROM (SELECT count(*) AS orders FROM orders GROUP BY created_at / ${sql.lit(DAY)}) AS days)
    AS busiest FROM orders`;

/** Times are in ms since 1970. `newest` is when the newest order was placed, 0 without orders. */
const RestoredSchema = v.object({ at: v.number(), newest: v.number(), next: v.number() });

export type Restored = v.InferOutput<typeof RestoredSchema>;

const ROW = 'restored';

/** Leaves a gap in the numbers of orders, and stores what the staff must know. @param now ms since 1970 */
export async function skipNumbers(
  transaction: Transaction,
  isPostgres: boolean,
  now: number,
): Promise<Restored> {
  const counter = isPostgres ? POSTGRES : SQLITE;
  const { last = 0 } = (await transaction.row(counter.last)) ?? {};
  const { newest = 0, busiest = 0 } = (await transaction.row(ORDERS)) ?? {};
  const gap = Math.max(MIN_GAP, busiest * MIN_DAYS);
  const days = newest === 0 ? 0 : Math.max(0, now - newest) / DAY;
  // Customers may also hold numbers that were given after an earlier restore of the same backup.
  const end = last + Math.ceil(gap * (1 + days / MIN_DAYS + Math.random()));
  for (const query of counter.set(end)) await transaction.rows(query);
  const restored = { at: now, newest, next: end + 1 + BEFORE_FIRST_ORDER };
  await setMeta(transaction, ROW, JSON.stringify(restored));
  return restored;
}

export const restoredText = ({ newest, next }: Restored): string =>
  `Orders and payments ${newest === 0 ? 'from after the backup' : `since ${formatMoment(isoTime(newest))}`} may be missing. New orders are numbered from ${next}.`;

/** In ms. */
const REPORTED_FOR = 30 * DAY;

/** Warns for some weeks after a restore that the backup may lack orders. Returns undefined if there is nothing to say. */
export async function restoredProblem(db: Reader, now: number): Promise<string | undefined> {
  const restored = (await db.row(NAMED({ name: ROW }), { value: json(RestoredSchema) }))?.value;
  if (!restored || now > restored.at + REPORTED_FOR) return undefined;
  return `A backup was restored on ${formatMoment(isoTime(restored.at))}. ${restoredText(restored)}`;
}
