import type { Transaction } from '#scripts/api/db/database.ts';
import type { User } from '#scripts/api/shop/shop.ts';
import { endAccountLinks } from './account-links.ts';
import { forgetDevices } from './known-devices.ts';

/**
 * Takes everything out of the account that names its person or lets somebody in. The email is free for a new account at
 * once. The row itself stays, because orders belong to it. Returns false where it was closed before.
 */
export async function closeAccount(
  transaction: Transaction,
  user: Pick<User, 'id' | 'email'>,
  now: number,
): Promise<boolean> {
  const closed = await transaction.run(
    `UPDATE users SET email = ?, password_hash = '', first_name = '', last_name = '', language = NULL, closed_at = ?
     WHERE id = ? AND closed_at IS NULL`,
    `closed-${user.id}`,
    now,
    user.id,
  );
  if (closed === 0) return false;
  await transaction.run('DELETE FROM sessions WHERE user_id = ?', user.id);
  await endAccountLinks(transaction, now, user);
  await forgetDevices(transaction, 'customers', user.id);
  return true;
}
