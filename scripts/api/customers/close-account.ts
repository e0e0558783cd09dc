import type { Transaction } from '#scripts/api/db/database.ts';
import { endLinksOf } from '#scripts/api/letters/links.ts';
import { forgetDevices } from './known-devices.ts';

/**
 * Takes everything out of the account that names its person or lets somebody in. The email is free for a new account at
 * once. The row itself stays, because orders belong to it (faults 134). Returns false where it was closed before.
 */
export async function closeAccount(transaction: Transaction, userId: string, now: number): Promise<boolean> {
  const closed = await transaction.run(
    `UPDATE users SET email = ?, password_hash = '', first_name = '', last_name = '', language = NULL, closed_at = ?
     WHERE id = ? AND closed_at IS NULL`,
    `closed-${userId}`,
    now,
    userId,
  );
  if (closed === 0) return false;
  await transaction.run('DELETE FROM sessions WHERE user_id = ?', userId);
  await endLinksOf(transaction, userId);
  await forgetDevices(transaction, 'customers', userId);
  return true;
}
