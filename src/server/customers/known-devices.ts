import { sql } from 'kysely';
import type { Reader, Transaction } from '#server/db/database.ts';
import { randomToken, tokenHash } from '#server/services/ids.ts';
import type { Services } from '#server/services/services.ts';

/**
 * The devices on which an account has signed in. Wrong guesses from elsewhere cannot lock them out. A device's token gives
 * no access, and a device may be known to several accounts.
 */
export const DEVICES = {
  customers: { table: sql.table('customer_devices'), owner: sql.ref('customer_id') },
  staff: { table: sql.table('staff_devices'), owner: sql.ref('staff_id') },
} as const;

export type AccountKind = keyof typeof DEVICES;

/** Per account; the least recently used ones are deleted. `privacy/retention.ts` says how long the others are stored. */
const MAX_DEVICES = 20;

export async function isKnownDevice(
  db: Reader,
  kind: AccountKind,
  accountId: string,
  device: string,
): Promise<boolean> {
  const { table, owner } = DEVICES[kind];
  const row = await db.row(
    sql`SELECT 1 AS found FROM ${table} WHERE ${owner} = ${accountId} AND token_hash = ${tokenHash(device)}`,
  );
  return row !== undefined;
}

/**
 * Stores that the account has signed in on this device. Returns the device's token; a token that is not ours is replaced.
 * @param device the token that the device sent
 */
export async function rememberDevice(
  transaction: Transaction,
  { clock }: Pick<Services, 'clock'>,
  kind: AccountKind,
  accountId: string,
  device: string | undefined,
): Promise<string> {
  const { table, owner } = DEVICES[kind];
  const ours =
    device !== undefined &&
    (await transaction.row(
      sql`SELECT 1 AS found FROM ${table} WHERE token_hash = ${tokenHash(device)} LIMIT 1`,
    ));
  const token = ours && device !== undefined ? device : randomToken();
  await transaction.run(
    sql`INSERT INTO ${table} (${owner}, token_hash, last_used_at) VALUES (${accountId}, ${tokenHash(token)}, ${clock()})
     ON CONFLICT (${owner}, token_hash) DO UPDATE SET last_used_at = excluded.last_used_at`,
  );
  await transaction.run(
    sql`DELETE FROM ${table} WHERE ${owner} = ${accountId} AND token_hash NOT IN
       (SELECT token_hash FROM ${table} WHERE ${owner} = ${accountId} ORDER BY last_used_at DESC, token_hash LIMIT ${MAX_DEVICES})`,
  );
  return token;
}

/** Call it in the transaction that changes the password. */
export const eraseDevices = (
  transaction: Transaction,
  kind: AccountKind,
  accountId: string,
): Promise<number> =>
  transaction.run(sql`DELETE FROM ${DEVICES[kind].table} WHERE ${DEVICES[kind].owner} = ${accountId}`);
