import type { Context } from 'hono';
import * as v from 'valibot';
import { LINK_USED_UP } from '#domain/refusals.ts';
import { insertRow } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { tokenHash } from '#server/services/ids.ts';
import type { Env, Services } from '#server/services/services.ts';
import type { LinkKind } from './email.ts';
import { dropWaiting } from './outbox.ts';

/** The pages of the shop's site that emails lead to. Another site of this API has them at the same addresses. */
export const SITE_PATHS = {
  orders: '/orders',
  order: (id: string) => `/track-order?id=${id}`,
  payment: (orderId: string) => `/payment?orderId=${orderId}`,
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  accountChange: '/account-change',
  accountData: '/account-data',
} as const;

const MINUTE = 60_000;

export const linkUsedUp = (): Refusal => new Refusal(422, LINK_USED_UP);

/** The secret of a link, as calls take it. @param refusal what is said of anything else */
export const linkToken = (refusal: string) => v.pipe(v.string(refusal), v.regex(/^[\w-]{1,200}$/, refusal));

/** The secret of a link that works once. */
export const LinkTokenSchema = linkToken(LINK_USED_UP);

/** For calls that send or take a link. Where the shop sends no emails, these do not exist. @throws Refusal 404 */
export async function requireEmails(_context: Context<Env>, { settings }: Services): Promise<void> {
  if (!settings.mail) throw new Refusal(404, 'Not found');
}

/**
 * Makes the secret of a link, at the moment its email is sent, and returns the link's address. Only the email has the
 * secret; the database has its hash. Earlier links stay valid, because an email that was sent twice may arrive in
 * either order.
 */
export async function makeLink(
  transaction: Transaction,
  { ids, clock }: Pick<Services, 'ids' | 'clock'>,
  site: string,
  { purpose, path, minutes }: LinkKind,
  about: string,
): Promise<string> {
  const token = ids.token();
  await transaction.run('DELETE FROM email_links WHERE expires_at <= ?', clock());
  const expiresAt = clock() + minutes * MINUTE;
  await insertRow(transaction, 'email_links', { tokenHash: tokenHash(token), purpose, about, expiresAt });
  return `${site}${path}#${token}`;
}

const AboutSchema = v.object({ about: v.string() });

/** What a link is about; undefined where it was used, is too old or unknown. */
export const findLink = async (
  db: Reader,
  now: number,
  purpose: string,
  token: string,
): Promise<string | undefined> =>
  (
    await db.get(
      AboutSchema,
      'SELECT about FROM email_links WHERE token_hash = ? AND purpose = ? AND expires_at > ?',
      tokenHash(token),
      purpose,
      now,
    )
  )?.about;

/** Invalidates a link, and returns what it is about. @throws Refusal 422 where it was used, is too old or unknown */
export async function redeemLink(
  transaction: Transaction,
  now: number,
  purpose: string,
  token: string,
): Promise<string> {
  const about = await findLink(transaction, now, purpose, token);
  const taken = await transaction.run('DELETE FROM email_links WHERE token_hash = ?', tokenHash(token));
  if (about === undefined || taken === 0) throw linkUsedUp();
  return about;
}

/** Ends all links of a customer: what such a link is about begins with the customer's id. */
export const endLinksOf = (transaction: Transaction, customerId: string): Promise<number> =>
  transaction.run('DELETE FROM email_links WHERE substr(about, 1, ?) = ?', customerId.length, customerId);

/** Ends all links of a kind that are about this. Their emails that wait are dropped first, so that no link is made in between. */
export async function endLinks(
  transaction: Transaction,
  now: number,
  { purpose, email }: LinkKind,
  about: string,
): Promise<void> {
  await dropWaiting(transaction, now, [email], [about]);
  await transaction.run('DELETE FROM email_links WHERE purpose = ? AND about = ?', purpose, about);
}
