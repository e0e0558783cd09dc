import * as v from 'valibot';
import { LEAVE_LINK_UNKNOWN } from '#domain/account-refusals.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { linkToken } from '#scripts/api/letters/links.ts';
import { siteOf } from '#scripts/api/letters/sender.ts';
import { SITE_PATHS } from '#scripts/api/letters/site-paths.ts';
import { API_BASE, type Route } from '#scripts/api/shop/call.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { emailLeavingBy, leaveNewsletter } from './stored-subscribers.ts';

const PATH = `${API_BASE}/newsletter/one-click`;

/**
 * The address by which one leaves the newsletter. A person who opens it gets a page with a button; a POST from a mail
 * program unsubscribes at once (RFC 8058).
 * @param api the origin of the API
 */
export const leaveAddress = (api: string, leaveToken: string): string => `${api}${PATH}?token=${leaveToken}`;

export const LeaveTokenSchema = linkToken(LEAVE_LINK_UNKNOWN);

/** Whoever has left before succeeds again. @throws Refusal 422 where no address has this link */
export const leaveBy = (shop: Shop, leaveToken: string): Promise<void> =>
  shop.db.write(async (transaction) => {
    const email = await emailLeavingBy(transaction, leaveToken);
    if (email === undefined || !(await leaveNewsletter(transaction, email, shop.clock())))
      throw new Refusal(422, LEAVE_LINK_UNKNOWN);
  });

/** Opening the address has no effect, because programs open the links of letters, too. */
export const LEAVE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: PATH,
    handle: (context, shop) => {
      const token = v.safeParse(LeaveTokenSchema, context.req.query('token'));
      return context.redirect(
        `${siteOf(shop)}${SITE_PATHS.leaveNewsletter}#${token.success ? token.output : ''}`,
        303,
      );
    },
  },
  {
    method: 'POST',
    path: PATH,
    bodyTypes: ['application/x-www-form-urlencoded', 'multipart/form-data'],
    handle: async (context, shop) => {
      const token = v.safeParse(LeaveTokenSchema, context.req.query('token'));
      if (!token.success) throw new Refusal(422, LEAVE_LINK_UNKNOWN);
      await leaveBy(shop, token.output);
      return context.json({});
    },
  },
];
