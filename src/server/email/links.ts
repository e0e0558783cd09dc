import type { Context } from 'hono';
import { sql } from 'kysely';
import * as v from 'valibot';
import { LINK_USED_UP } from '#domain/refusals.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { tokenHash } from '#server/services/ids.ts';
import type { Env, Services } from '#server/services/services.ts';
import type { LinkKind } from './email.ts';
import { dropWaiting } from './outbox.ts';

/** The pages of the site that emails link to. Another site on this API must have them at the same paths. */
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

/** The secret of a link, as calls take it. @param refusal the error for anything else */
export const linkToken = (refusal: string) => v.pipe(v.string(refusal), v.regex(/^[\w-]{1,200}$/, refusal));

export const LinkTokenSchema = linkToken(LINK_USED_UP);

/** For calls that send or redeem a link. They do not exist in a shop without emails. @throws Refusal 404 */
export async function requireEmails(_context: Context<Env>, { settings }: Services): Promise<void> {
  if (!settings.mail) throw new Refusal(404, 'Not found');
}

/**
 * Makes the secret of a link when its email is sent, and returns the link's URL. The database has only a hash of the
 * secret. Earlier links stay valid, because two copies of an email may arrive in either order.
 */
export async function makeLink(
  transaction: Transaction,
  { ids, clock }: Pick<Services, 'ids' | 'clock'>,
  site: string,
  { purpose, path, minutes }: LinkKind,
  about: string,
): Promise<string> {
  const token = ids.token();
  await transaction.run(q.deleteFrom('emailLinks').where('expiresAt', '<=', clock()));
  const link = { tokenHash: tokenHash(token), purpose, about, expiresAt: clock() + minutes * MINUTE };
  await transaction.run(q.insertInto('emailLinks').values(link));
  return `${site}${path}#${token}`;
}

/** Returns what a link is about, or undefined if it was used, has expired or is unknown. */
export async function findLink(
  db: Reader,
  now: number,
  purpose: string,
  token: string,
): Promise<string | undefined> {
  const links = q.selectFrom('emailLinks').select('about').where('expiresAt', '>', now);
  const own = links.where('tokenHash', '=', tokenHash(token)).where('purpose', '=', purpose);
  return (await db.row(own))?.about;
}

/** Invalidates a link and returns what it is about. @throws Refusal 422 if it was used, has expired or is unknown */
export async function redeemLink(
  transaction: Transaction,
  now: number,
  purpose: string,
  token: string,
): Promise<string> {
  const about = await findLink(transaction, now, purpose, token);
  const taken = await transaction.run(q.deleteFrom('emailLinks').where('tokenHash', '=', tokenHash(token)));
  if (about === undefined || taken === 0) throw linkUsedUp();
  return about;
}

/** Deletes all links of a customer: their `about` begins with the customer's id. */
export const endLinksOf = (transaction: Transaction, customerId: string): Promise<number> =>
  transaction.run(sql`DELETE FROM email_links WHERE substr(about, 1, ${customerId.length}) = ${customerId}`);

/** Deletes all links of a kind about this subject. Drops their waiting emails first, so that no link is made in between. */
export async function endLinks(
  transaction: Transaction,
  now: number,
  { purpose, email }: LinkKind,
  about: string,
): Promise<void> {
  await dropWaiting(transaction, now, [email], [about]);
  await transaction.run(q.deleteFrom('emailLinks').where('purpose', '=', purpose).where('about', '=', about));
}
