import * as v from 'valibot';
import { EMAIL_TAKEN } from '#domain/refusals.ts';
import { insertRow } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { linkUsedUp } from '#server/email/links.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { Refusal, unauthorized } from '#server/http/refusal.ts';
import { EMAIL_CHANGE, endAccountLinks } from './account-links.ts';
import { ACCOUNT_EMAILS } from './emails.ts';
import { findRecipient, lockAccount } from './stored-customers.ts';

/** Both addresses confirm a change: the old one agrees, the new one is verified. */
const SIDES = ['old', 'new'] as const;

const ChangeSchema = v.object({
  email: v.string(),
  oldConfirmed: v.number(),
  newConfirmed: v.number(),
});

/** The change of email that is not yet confirmed by both addresses. */
export const findEmailChange = (db: Reader, customerId: string, now: number) =>
  db.get(
    ChangeSchema,
    `SELECT email, old_confirmed AS "oldConfirmed", new_confirmed AS "newConfirmed" FROM email_changes
     WHERE customer_id = ? AND expires_at > ?`,
    customerId,
    now,
  );

export const eraseEmailChange = (transaction: Transaction, customerId: string): Promise<number> =>
  transaction.run('DELETE FROM email_changes WHERE customer_id = ?', customerId);

/** Replaces an earlier request, and sends an email to both addresses. @throws Refusal 401 */
export async function requestEmailChange(
  transaction: Transaction,
  services: OutboxServices,
  customerId: string,
  email: string,
): Promise<void> {
  if (!(await lockAccount(transaction, customerId))) throw unauthorized();
  await eraseEmailChange(transaction, customerId);
  const expiresAt = services.clock() + EMAIL_CHANGE.minutes * 60_000;
  await insertRow(transaction, 'email_changes', {
    customerId,
    email,
    oldConfirmed: 0,
    newConfirmed: 0,
    expiresAt,
  });
  for (const side of SIDES)
    await queueEmail(transaction, services, ACCOUNT_EMAILS.emailRequested, customerId, { email, side });
}

const AboutSchema = v.tuple([v.string(), v.picklist(SIDES), v.string()]);

/**
 * Confirms one side of a change. Returns whether the account has the new email now. @param about of the link
 * @throws Refusal 422 if the change has expired or was replaced, or another account has the email
 */
export async function confirmEmailChange(
  transaction: Transaction,
  services: OutboxServices,
  about: string,
): Promise<boolean> {
  const parsed = v.safeParse(AboutSchema, about.split(' '));
  if (!parsed.success) throw linkUsedUp();
  const [customerId, side, email] = parsed.output;
  const confirmed = await transaction.run(
    `UPDATE email_changes SET ${side}_confirmed = 1 WHERE customer_id = ? AND email = ? AND expires_at > ?`,
    customerId,
    email,
    services.clock(),
  );
  const change = await findEmailChange(transaction, customerId, services.clock());
  if (confirmed === 0 || !change) throw linkUsedUp();
  if (change.oldConfirmed === 0 || change.newConfirmed === 0) return false;
  const before = await findRecipient(transaction, customerId);
  const changed = await transaction.run(
    'UPDATE customers SET email = ?, email_verified = 1 WHERE id = ? AND closed_at IS NULL AND NOT EXISTS (SELECT 1 FROM customers WHERE email = ?)',
    email,
    customerId,
    email,
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
