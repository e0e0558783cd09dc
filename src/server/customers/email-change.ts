import * as v from 'valibot';
import { EMAIL_TAKEN } from '#domain/refusals.ts';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { linkUsedUp } from '#server/email/links.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { Refusal, unauthorized } from '#server/http/refusal.ts';
import { EMAIL_CHANGE, endAccountLinks } from './account-links.ts';
import { ACCOUNT_EMAILS } from './emails.ts';
import { findEmailChange, findRecipient, lockCustomer } from './stored-customers.ts';

/** Both addresses must confirm: the old one to agree, the new one to be verified. */
const SIDES = ['old', 'new'] as const;

export const eraseEmailChange = (transaction: Transaction, customerId: string): Promise<number> =>
  transaction.run(q.deleteFrom('emailChanges').where('customerId', '=', customerId));

/** Replaces an earlier request, and sends an email to both addresses. @throws Refusal 401 */
export async function requestEmailChange(
  transaction: Transaction,
  services: OutboxServices,
  customerId: string,
  email: string,
): Promise<void> {
  if (!(await lockCustomer(transaction, customerId))) throw unauthorized();
  await eraseEmailChange(transaction, customerId);
  const expiresAt = services.clock() + EMAIL_CHANGE.minutes * 60_000;
  const change = { customerId, email, oldConfirmed: 0, newConfirmed: 0, expiresAt };
  await transaction.run(q.insertInto('emailChanges').values(change));
  for (const side of SIDES)
    await queueEmail(transaction, services, ACCOUNT_EMAILS.emailRequested, customerId, { email, side });
}

const SubjectSchema = v.tuple([v.string(), v.picklist(SIDES), v.string()]);

/**
 * Confirms one side of a change. Returns whether the account has the new email now. @param subjectId of the link
 * @throws Refusal 422 if the change has expired or was replaced, or another account has the email
 */
export async function confirmEmailChange(
  transaction: Transaction,
  services: OutboxServices,
  subjectId: string,
): Promise<boolean> {
  const parsed = v.safeParse(SubjectSchema, subjectId.split(' '));
  if (!parsed.success) throw linkUsedUp();
  const [customerId, side, email] = parsed.output;
  const update = q
    .updateTable('emailChanges')
    .set(side === 'old' ? { oldConfirmed: 1 } : { newConfirmed: 1 });
  const own = update.where('customerId', '=', customerId).where('email', '=', email);
  const confirmed = await transaction.run(own.where('expiresAt', '>', services.clock()));
  const change = await findEmailChange(transaction, customerId, services.clock());
  if (confirmed === 0 || !change) throw linkUsedUp();
  if (change.oldConfirmed === 0 || change.newConfirmed === 0) return false;
  const before = await findRecipient(transaction, customerId);
  const changed = await transaction.run(
    q
      .updateTable('customers')
      .set({ email, emailVerified: 1 })
      .where('id', '=', customerId)
      .where('closedAt', 'is', null)
      .where(({ not, exists }) =>
        not(exists(q.selectFrom('customers').select('id').where('email', '=', email))),
      ),
  );
  if (changed === 0 || !before) throw new Refusal(422, EMAIL_TAKEN);
  await eraseEmailChange(transaction, customerId);
  // Links that were sent to the old address must no longer work.
  await endAccountLinks(transaction, services.clock(), { id: customerId, email: before.address });
  await queueEmail(transaction, services, ACCOUNT_EMAILS.emailChanged, customerId, {
    before: before.address,
  });
  return true;
}
