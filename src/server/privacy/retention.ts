import { sql } from 'kysely';
import type { RetentionRule } from '#domain/store-info.ts';
import { mayExpire } from '#server/db/clock-watch.ts';
import type { Transaction } from '#server/db/database.ts';
import { advanceMeta } from '#server/db/meta.ts';
import { eraseOrders, WITHOUT_ACCOUNT_DAYS } from '#server/fulfilment/order-privacy.ts';
import { DAY, hourOf, SKEW } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';

/** The row of `meta` with the last hour in which a process erased expired data. */
const LAST_ERASURE = 'last_erasure';

/** Deletes data whose retention has ended, and personal data of finished orders of deleted accounts. */
export async function eraseExpiredData(services: Services): Promise<void> {
  const { db, clock, log } = services;
  if (!(await mayExpire(services))) return;
  const now = clock();
  const rows = await db.write(async (transaction) =>
    (await advanceMeta(transaction, LAST_ERASURE, hourOf(now), hourOf(now + SKEW)))
      ? eraseRows(transaction, now)
      : 0,
  );
  if (rows > 0) log('info', 'expired data was deleted', { rows });
  const orders = await eraseOrders(db, clock());
  if (orders > 0) log('info', 'addresses of finished orders were erased', { orders });
}

/** Rows that are deleted automatically. */
interface Retention {
  readonly table: string;
  /** The column with the start of the retention, in ms since 1970. */
  readonly since: string;
  readonly days: number;
  /** Restricts the rows, as a condition of SQL. */
  readonly where?: string;
  /** For the privacy policy: what is stored, and the event from which the days count. Absent for the staff's rows. */
  readonly policy?: { readonly what: string; readonly after: string };
}

/** How long data is stored. Deletion and privacy policy read it. Other data stays with its account or order. */
export const RETENTION: readonly Retention[] = [
  {
    table: 'emails',
    since: 'changed_at',
    days: 30,
    where: "state IN ('sent', 'dropped')",
    policy: { what: 'which e-mail went to your address', after: 'it was sent' },
  },
  {
    table: 'emails',
    since: 'changed_at',
    days: 90,
    where: "state = 'failed'",
    policy: { what: 'an e-mail that could not be sent', after: 'the last try' },
  },
  {
    table: 'tokens',
    since: 'expires_at',
    days: 1,
    policy: {
      what: 'that you were signed in, or the link in an e-mail, only as a hash',
      after: 'it stopped working',
    },
  },
  {
    table: 'email_changes',
    since: 'expires_at',
    days: 1,
    policy: {
      what: 'an e-mail address that was to replace yours and was not confirmed',
      after: 'its links stopped working',
    },
  },
  {
    table: 'devices',
    since: 'last_used_at',
    days: 400,
    policy: { what: 'the random number of a device, only as a hash', after: 'the last sign-in there' },
  },
  // The keys of the staff's forms, which outlive any session that could send a form again.
  { table: 'admin_forms', since: 'used_at', days: 1 },
  { table: 'batches', since: 'created_at', days: 1, where: 'started_at IS NULL' },
  { table: 'batches', since: 'created_at', days: 90 },
  {
    table: 'blocks',
    since: 'ends_at',
    days: 90,
    policy: {
      what: 'that we take no cash, or no orders, from an account, a phone or an address, and why',
      after: 'that ended',
    },
  },
  {
    table: 'order_keys',
    since: 'created_at',
    days: 90,
    policy: { what: 'the answer that your order got, in case it was lost on its way', after: 'the order' },
  },
];

/** The retention as the privacy policy lists it. */
export const policyRetention = (): RetentionRule[] => [
  ...RETENTION.flatMap(({ days, policy }) =>
    policy ? [{ what: policy.what, days, after: policy.after }] : [],
  ),
  {
    what: 'name, address, phone and e-mail of an order that you placed with us by phone, without an account',
    days: WITHOUT_ACCOUNT_DAYS,
    after: 'the order',
  },
];

/** Returns how many rows were deleted. */
export async function eraseRows(transaction: Transaction, now: number): Promise<number> {
  let rows = 0;
  for (const { table, since, days, where = '1 = 1' } of RETENTION)
    rows += await transaction.run(
      sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(since)} < ${now - days * DAY} AND ${sql.raw(where)}`,
    );
  return rows;
}
