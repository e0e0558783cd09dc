import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { columnsOf, insertRow } from '#server/db/columns.ts';
import type { Transaction } from '#server/db/database.ts';
import { type Post, queueEmail } from '#server/email/outbox.ts';
import { unauthorized } from '#server/http/refusal.ts';
import { tokenHash } from '#server/services/ids.ts';
import type { Env, Services, User } from '#server/services/services.ts';
import { endAccountLinks } from './account-links.ts';
import { eraseEmailChange } from './email-change.ts';
import { ACCOUNT_EMAILS } from './emails.ts';
import { eraseDevices, rememberDevice } from './known-devices.ts';
import { type Credentials, emailOf, findCredentials, hasPassword, USER_ROW } from './stored-customers.ts';

/** 30 days, as long as the cookie, in ms. */
const SESSION_LIFE = 30 * 24 * 60 * 60 * 1_000;

const UserRowSchema = v.object(USER_ROW);

interface StartedSession {
  readonly token: string;
  readonly device: string;
}

/**
 * Starts a session for whoever still has the password that was checked; undefined where it has changed meanwhile.
 * Only a hash of the token is stored.
 */
export function startSession(
  services: Services,
  user: Readonly<Credentials>,
  device: string | undefined,
): Promise<StartedSession | undefined> {
  const { db, clock, ids } = services;
  const token = ids.token();
  return db.write(async (transaction) => {
    if (!(await hasPassword(transaction, user))) return undefined;
    await transaction.run('DELETE FROM sessions WHERE expires_at <= ?', clock());
    const session = { tokenHash: tokenHash(token), userId: user.id, expiresAt: clock() + SESSION_LIFE };
    await insertRow(transaction, 'sessions', session);
    return { token, device: await rememberDevice(transaction, services, 'customers', user.id, device) };
  });
}

const tokenOf = (context: Context): string | undefined =>
  /^Bearer ([\w-]{1,200})$/i.exec(context.req.header('authorization') ?? '')?.[1];

/** Ends the session whose token the request has, if there is one. */
export async function endSession({ db }: Pick<Services, 'db' | 'clock'>, context: Context): Promise<void> {
  const token = tokenOf(context);
  if (token === undefined) return;
  await db.write((transaction) =>
    transaction.run('DELETE FROM sessions WHERE token_hash = ?', tokenHash(token)),
  );
}

/**
 * Ends all sessions of a customer, and forgets which devices the account knows. Returns how many there were; undefined where
 * nobody has the email.
 */
export async function endSessionsOf(transaction: Transaction, email: string): Promise<number | undefined> {
  const user = await findCredentials(transaction, email);
  if (!user) return undefined;
  await eraseDevices(transaction, 'customers', user.id);
  return transaction.run('DELETE FROM sessions WHERE user_id = ?', user.id);
}

/**
 * Stores a new password, and tells the customer by email that it changed. All sessions and links of the customer end,
 * with a change of email that is not confirmed yet: somebody else may have asked for it. The account knows no device
 * afterwards.
 */
export async function changePassword(
  transaction: Transaction,
  post: Post,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await transaction.run('UPDATE users SET password_hash = ? WHERE id = ?', passwordHash, userId);
  await transaction.run('DELETE FROM sessions WHERE user_id = ?', userId);
  await eraseDevices(transaction, 'customers', userId);
  const email = (await emailOf(transaction, userId)) ?? '';
  await endAccountLinks(transaction, post.clock(), { id: userId, email });
  await eraseEmailChange(transaction, userId);
  await queueEmail(transaction, post, ACCOUNT_EMAILS.changed, userId);
}

/** Who sends a request; undefined without a valid bearer token. */
export async function userOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  context: Context,
): Promise<User | undefined> {
  const token = tokenOf(context);
  if (token === undefined) return undefined;
  return db.get(
    UserRowSchema,
    `SELECT ${columnsOf(USER_ROW)}
     FROM sessions JOIN users ON users.id = sessions.user_id WHERE token_hash = ? AND expires_at > ?`,
    tokenHash(token),
    clock(),
  );
}

/** Refuses every request without a valid bearer token. Cookies are never read. */
export const requireUser = (services: Services) =>
  createMiddleware<Env>(async (context, next) => {
    const user = await userOf(services, context);
    if (!user) throw unauthorized();
    context.set('user', user);
    await next();
  });

/**
 * Takes everything out of the account that names its person or lets somebody in. The email is free for a new account at
 * once. The row itself stays, because orders belong to it. Returns false where it was closed before.
 */
export async function closeAccount(
  transaction: Transaction,
  user: Pick<User, 'id' | 'email'>,
  now: number,
): Promise<boolean> {
  const closed = await transaction.run(
    `UPDATE users SET email = ?, password_hash = '', first_name = '', last_name = '', language = NULL, closed_at = ?
     WHERE id = ? AND closed_at IS NULL`,
    `closed-${user.id}`,
    now,
    user.id,
  );
  if (closed === 0) return false;
  await transaction.run('DELETE FROM sessions WHERE user_id = ?', user.id);
  await endAccountLinks(transaction, now, user);
  await eraseDevices(transaction, 'customers', user.id);
  return true;
}
