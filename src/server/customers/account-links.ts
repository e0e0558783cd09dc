import { sql } from 'kysely';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import type { LinkKind } from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { dropWaiting } from '#server/email/outbox.ts';
import { EMAIL_VERIFICATION } from '#server/email/verification.ts';
import type { Customer } from '#server/services/services.ts';

export const RESET = {
  purpose: 'resetPassword',
  email: 'passwordReset',
  path: SITE_PATHS.resetPassword,
  namesAccount: true,
  minutes: 30,
} as const satisfies LinkKind;

export const EMAIL_CHANGE = {
  purpose: 'changeEmail',
  email: 'emailRequested',
  path: SITE_PATHS.accountChange,
  minutes: 24 * 60,
} as const satisfies LinkKind;

export const DELETION = {
  purpose: 'deleteAccount',
  email: 'accountDeletion',
  path: SITE_PATHS.accountData,
  minutes: 60,
} as const satisfies LinkKind;

const LINKS: readonly LinkKind[] = [RESET, EMAIL_CHANGE, DELETION, EMAIL_VERIFICATION];

/**
 * Deletes all links of a customer: their subject begins with the id. Drops waiting emails first, because they get their
 * link when they are sent.
 */
export async function endAccountLinks(
  transaction: Transaction,
  now: number,
  { id, email }: Pick<Customer, 'id' | 'email'>,
): Promise<void> {
  await dropWaiting(
    transaction,
    now,
    LINKS.map((link) => link.email),
    [id, email],
  );
  const purposes = LINKS.map(({ purpose }) => purpose);
  const links = q.deleteFrom('tokens').where('purpose', 'in', purposes);
  await transaction.run(links.where(sql`substr(subject_id, 1, ${id.length})`, '=', id));
}
