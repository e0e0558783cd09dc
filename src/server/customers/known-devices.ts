import * as v from 'valibot';
import type { Reader, Transaction } from '#server/db/database.ts';
import { tokenHash } from '#server/services/ids.ts';
import type { Services } from '#server/services/services.ts';

/**
 * The devices on which somebody has signed in with the right password. Whoever guesses from elsewhere cannot lock
 * them out. A device's token opens nothing, and one device may be known to several accounts.
 */
export const DEVICES = {
  customers: { table: 'customer_devices', person: 'customer_id' },
  staff: { table: 'staff_devices', person: 'staff_id' },
} as const;

export type AccountKind = keyof typeof DEVICES;

/** Of more devices, only those that were used last stay known. `privacy/retention.ts` says for how long. */
const DEVICES_MOST = 20;

const FoundSchema = v.object({ found: v.number() });

export async function isKnownDevice(
  db: Reader,
  of: AccountKind,
  customerId: string,
  device: string,
): Promise<boolean> {
  const { table, person } = DEVICES[of];
  const row = await db.get(
    FoundSchema,
    `SELECT 1 AS found FROM ${table} WHERE ${person} = ? AND token_hash = ?`,
    customerId,
    tokenHash(device),
  );
  return row !== undefined;
}

/**
 * Notes that somebody has signed in on this device, and returns its token. One that this shop has not made is replaced.
 * @param device the token that the device sent
 */
export async function rememberDevice(
  transaction: Transaction,
  { ids, clock }: Pick<Services, 'ids' | 'clock'>,
  of: AccountKind,
  customerId: string,
  device: string | undefined,
): Promise<string> {
  const { table, person } = DEVICES[of];
  const ours =
    device !== undefined &&
    (await transaction.get(
      FoundSchema,
      `SELECT 1 AS found FROM ${table} WHERE token_hash = ? LIMIT 1`,
      tokenHash(device),
    ));
  const token = ours && device !== undefined ? device : ids.token();
  await transaction.run(
    `INSERT INTO ${table} (${person}, token_hash, last_used_at) VALUES (?, ?, ?)
     ON CONFLICT (${person}, token_hash) DO UPDATE SET last_used_at = excluded.last_used_at`,
    customerId,
    tokenHash(token),
    clock(),
  );
  await transaction.run(
    `DELETE FROM ${table} WHERE ${person} = ? AND token_hash NOT IN
       (SELECT token_hash FROM ${table} WHERE ${person} = ? ORDER BY last_used_at DESC, token_hash LIMIT ?)`,
    customerId,
    customerId,
    DEVICES_MOST,
  );
  return token;
}

/** Must be called in the transaction that changes the password. */
export const eraseDevices = (
  transaction: Transaction,
  of: AccountKind,
  customerId: string,
): Promise<number> =>
  transaction.run(`DELETE FROM ${DEVICES[of].table} WHERE ${DEVICES[of].person} = ?`, customerId);
