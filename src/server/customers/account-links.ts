import type { Transaction } from '#server/db/database.ts';
import type { LinkKind } from '#server/email/email.ts';
import { endLinksOf, SITE_PATHS } from '#server/email/links.ts';
import { dropWaiting } from '#server/email/outbox.ts';
import type { Customer } from '#server/services/services.ts';

/** The link for choosing a new password: it works once, for 30 minutes, on any device. */
export const RESET = {
  purpose: 'resetPassword',
  email: 'passwordReset',
  path: SITE_PATHS.resetPassword,
  minutes: 30,
} as const satisfies LinkKind;

/** The link by which an address confirms a new email: it works once, for a day. */
export const EMAIL_CHANGE = {
  purpose: 'changeEmail',
  email: 'emailRequested',
  path: SITE_PATHS.accountChange,
  minutes: 24 * 60,
} as const satisfies LinkKind;

/** The link by which a customer confirms the deletion of the account: it works once, for 60 minutes. */
export const DELETION = {
  purpose: 'deleteAccount',
  email: 'accountDeletion',
  path: SITE_PATHS.accountData,
  minutes: 60,
} as const satisfies LinkKind;

const EMAILS_WITH_LINKS = [RESET, EMAIL_CHANGE, DELETION].map(({ email }) => email);

/**
 * Ends all links of a customer. An email gets its link only when it is sent, so those that wait are dropped first: then
 * no link is made in between.
 */
export async function endAccountLinks(
  transaction: Transaction,
  now: number,
  { id, email }: Pick<Customer, 'id' | 'email'>,
): Promise<void> {
  await dropWaiting(transaction, now, EMAILS_WITH_LINKS, [id, email]);
  await endLinksOf(transaction, id);
}
