import { lockAccount } from '#scripts/api/customers/close-account.ts';
import { findRecipient } from '#scripts/api/customers/stored-customers.ts';
import type { Transaction } from '#scripts/api/db/database.ts';
import { type Post, queueLetter } from '#scripts/api/letters/outbox.ts';
import type { User } from '#scripts/api/shop/shop.ts';
import { PRIVACY_LETTERS } from './letters.ts';
import { forgetPerson } from './personal-data.ts';

/**
 * Deletes an account, whoever asked for it, and tells its person by letter. An order on its way is carried out (faults 134).
 * Returns false where somebody else has deleted it meanwhile.
 */
export async function deleteAccount(transaction: Transaction, post: Post, user: User): Promise<boolean> {
  if (!(await lockAccount(transaction, user.id))) return false;
  const recipient = await findRecipient(transaction, user.id);
  await forgetPerson(transaction, user, post.clock());
  if (recipient) await queueLetter(transaction, post, PRIVACY_LETTERS.deleted, user.id, recipient);
  return true;
}
