import type { RetentionRule } from '#domain/store-info.ts';
import type { Transaction } from '#server/db/database.ts';
import { advanceMeta } from '#server/db/meta.ts';
import { eraseOrders } from '#server/orders/order-privacy.ts';
import { readReturnDays } from '#server/orders/returns/stored-returns.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';

/** The name of the row of meta with the last hour in which a process deleted what was kept long enough. */
const FORGOT_IN = 'forgot_in';

/**
 * Deletes what has been kept long enough, in one process an hour, and takes the names out of the orders of deleted accounts
 * for which nothing is left to do.
 */
export async function eraseExpiredData(services: Services): Promise<void> {
  const { db, clock, log } = services;
  const hour = isoTime(clock()).slice(0, 'yyyy-mm-ddThh'.length);
  const rows = await db.write(async (transaction) =>
    (await advanceMeta(transaction, FORGOT_IN, hour)) ? eraseRows(transaction, clock()) : 0,
  );
  if (rows > 0) log('info', 'what was kept long enough was deleted', { rows });
  const orders = await eraseOrders(db, clock(), () => readReturnDays(services));
  if (orders > 0) log('info', 'addresses of deleted accounts were forgotten', { orders });
}

const DAY = 24 * 60 * 60 * 1_000;

/** Rows that go by themselves. */
interface Retention {
  readonly table: string;
  /** The column with the time from which the days count, in ms since 1970. */
  readonly since: string;
  readonly days: number;
  /** Which of them may go, as a condition of SQL. Without one all may. */
  readonly where?: string;
  /** How the privacy policy names it, and the event from which the days count. Rows of the staff have none. */
  readonly told?: { readonly what: string; readonly after: string };
}

/**
 * How long each thing is kept. Something new is a row here. It goes by itself (`forget.ts`), and the privacy policy says
 * the same days. What is not here stays as long as its account or its order does.
 */
export const RETENTION: readonly Retention[] = [
  {
    table: 'emails',
    since: 'changed_at',
    days: 30,
    where: "state IN ('sent', 'dropped')",
    told: { what: 'which e-mail went to your address', after: 'it was sent' },
  },
  {
    table: 'emails',
    since: 'changed_at',
    days: 90,
    where: "state = 'failed'",
    told: { what: 'an e-mail that could not be sent', after: 'the last try' },
  },
  {
    table: 'email_links',
    since: 'expires_at',
    days: 1,
    told: { what: 'the link in an e-mail, only as a hash', after: 'it stopped working' },
  },
  {
    table: 'email_changes',
    since: 'expires_at',
    days: 1,
    told: {
      what: 'an e-mail address that was to replace yours and was not confirmed',
      after: 'its links stopped working',
    },
  },
  {
    table: 'sessions',
    since: 'expires_at',
    days: 1,
    told: { what: 'that you were signed in', after: 'that ended' },
  },
  {
    table: 'customer_devices',
    since: 'last_used_at',
    days: 400,
    told: { what: 'the random number of a device, only as a hash', after: 'the last sign-in there' },
  },
  { table: 'staff_devices', since: 'last_used_at', days: 400 },
  {
    table: 'order_keys',
    since: 'created_at',
    days: 90,
    told: { what: 'the answer that your order got, in case it was lost on its way', after: 'the order' },
  },
];

/** The same in the words of the privacy policy. */
export const toldRetention = (): RetentionRule[] =>
  RETENTION.flatMap(({ days, told }) => (told ? [{ what: told.what, days, after: told.after }] : []));

/** Deletes what has been kept long enough, and returns how many rows that were. */
export async function eraseRows(transaction: Transaction, now: number): Promise<number> {
  let rows = 0;
  for (const { table, since, days, where = '1 = 1' } of RETENTION)
    rows += await transaction.run(`DELETE FROM ${table} WHERE ${since} < ? AND ${where}`, now - days * DAY);
  return rows;
}
