import type { Transaction } from '#server/db/database.ts';
import type { LinkKind } from '#server/email/email.ts';
import { SITE_PATHS } from '#server/email/links.ts';
import { dropWaiting } from '#server/email/outbox.ts';
import { endTokensOf } from '#server/services/one-time-tokens.ts';
import type { Customer } from '#server/services/services.ts';

export const RESET = {
  purpose: 'resetPassword',
  email: 'passwordReset',
  path: SITE_PATHS.resetPassword,
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

const EMAILS_WITH_LINKS = [RESET, EMAIL_CHANGE, DELETION].map(({ email }) => email);

/** Deletes all links of a customer. Waiting emails are dropped first: they get their link when sent. */
export async function endAccountLinks(
  transaction: Transaction,
  now: number,
  { id, email }: Pick<Customer, 'id' | 'email'>,
): Promise<void> {
  await dropWaiting(transaction, now, EMAILS_WITH_LINKS, [id, email]);
  await endTokensOf(transaction, id);
}
