import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { unauthorized } from '#scripts/api/http/refusal.ts';
import type { Env, Shop, User } from '#scripts/api/shop/shop.ts';

/** 30 days, as long as the cookie (spec 9), in ms. */
const SESSION_LIFE = 30 * 24 * 60 * 60 * 1_000;

const hashed = (token: string): string => createHash('sha256').update(token).digest('base64url');

const UserRowSchema = v.object({
  id: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  createdAt: v.number(),
});

/** Returns the new session's token, of which only a hash is stored (faults 43). */
export function startSession({ db, clock, ids }: Shop, userId: string): Promise<string> {
  const token = ids.token();
  return db.write(async (transaction) => {
    await transaction.run('DELETE FROM sessions WHERE expires_at <= ?', clock());
    await transaction.run(
      'INSERT INTO sessions VALUES (?, ?, ?)',
      hashed(token),
      userId,
      clock() + SESSION_LIFE,
    );
    return token;
  });
}

async function userOf({ db, clock }: Shop, context: Context): Promise<User | undefined> {
  const [, token] = /^Bearer ([\w-]{1,200})$/i.exec(context.req.header('authorization') ?? '') ?? [];
  if (token === undefined) return undefined;
  return db.get(
    UserRowSchema,
    `SELECT id, email, first_name AS "firstName", last_name AS "lastName", created_at AS "createdAt"
     FROM sessions JOIN users ON users.id = sessions.user_id WHERE token_hash = ? AND expires_at > ?`,
    hashed(token),
    clock(),
  );
}

/** Lets in who has a valid bearer token. Cookies are never read (faults 38). */
export const requireUser = (shop: Shop) =>
  createMiddleware<Env>(async (context, next) => {
    const user = await userOf(shop, context);
    if (!user) throw unauthorized();
    context.set('user', user);
    await next();
  });
