import type { Context } from 'hono';
import * as v from 'valibot';
import { LINK_USED_UP } from '#domain/refusals.ts';
import type { Transaction } from '#server/db/database.ts';
import { consumeToken, findToken, makeToken, type TokenKind } from '#server/db/tokens.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Env, Services } from '#server/services/services.ts';
import type { LinkKind } from './email.ts';

/** The pages of the site that emails link to. Another site on this API must have them at the same paths. */
export const SITE_PATHS = {
  orders: '/orders',
  order: (number: string) => `/track-order?id=${number}`,
  payment: (orderId: string) => `/payment?orderId=${orderId}`,
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  accountChange: '/account-change',
  accountData: '/account-data',
} as const;

export const linkUsedUp = (): Refusal => new Refusal(422, LINK_USED_UP);

/** The secret of a link, as calls take it. */
export const LinkTokenSchema = v.pipe(v.string(LINK_USED_UP), v.regex(/^[\w-]{1,200}$/, LINK_USED_UP));

/** For calls that send or redeem a link. They do not exist in a shop without emails. @throws Refusal 404 */
export async function requireEmails(_context: Context<Env>, { settings }: Services): Promise<void> {
  if (!settings.mail) throw new Refusal(404, 'Not found');
}

/** Is appended to the secret of a link. Browsers do not send it. */
export const emailPart = (email: string): string => `&email=${encodeURIComponent(email)}`;

/**
 * Makes the secret of a link when its email is sent, and returns the link's URL. Earlier links stay valid, because two
 * copies of an email may arrive in either order.
 */
export const makeLink = async (
  transaction: Transaction,
  now: number,
  site: string,
  kind: LinkKind,
  subjectId: string,
  email = '',
): Promise<string> =>
  `${site}${kind.path}#${await makeToken(transaction, now, kind, subjectId)}${kind.namesAccount && email ? emailPart(email) : ''}`;

/**
 * Runs the change that a link is for, and invalidates the link. A wrong secret costs a read.
 * @throws Refusal 422 if it was used, has expired or is unknown
 */
export async function withLink<T>(
  { db, clock }: Services,
  kinds: readonly TokenKind[],
  token: string,
  work: (transaction: Transaction, subjectId: string, kind: TokenKind) => Promise<T>,
): Promise<T> {
  for (const kind of kinds)
    if ((await findToken(db, clock(), kind, token)) !== undefined)
      return db.write(async (transaction) =>
        work(transaction, await redeemLink(transaction, clock(), kind, token), kind),
      );
  throw linkUsedUp();
}

/** Invalidates a link and returns its subject. @throws Refusal 422 if it was used, has expired or is unknown */
export async function redeemLink(
  transaction: Transaction,
  now: number,
  kind: TokenKind,
  token: string,
): Promise<string> {
  const subjectId = await consumeToken(transaction, now, kind, token);
  if (subjectId === undefined) throw linkUsedUp();
  return subjectId;
}
