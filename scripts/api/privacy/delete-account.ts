import { findRecipient, findUser, lockAccount } from '#scripts/api/customers/stored-customers.ts';
import type { Transaction } from '#scripts/api/db/database.ts';
import { type Post, queueLetter } from '#scripts/api/letters/outbox.ts';
import { PRIVACY_LETTERS } from './letters.ts';
import { forgetPerson } from './personal-data.ts';

/**
 * Deletes an account, whoever asked for it, and tells its person by letter. An order on its way is carried out.
 * Returns false where there is no such account any more.
 */
export async function deleteAccount(transaction: Transaction, post: Post, userId: string): Promise<boolean> {
  if (!(await lockAccount(transaction, userId))) return false;
  // It is read now that nobody can change its email.
  const user = await findUser(transaction, userId);
  if (!user) return false;
  const recipient = await findRecipient(transaction, userId);
  await forgetPerson(transaction, user, post.clock());
  if (recipient) await queueLetter(transaction, post, PRIVACY_LETTERS.deleted, userId, recipient);
  return true;
}
