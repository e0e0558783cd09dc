import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Transaction } from '#server/db/database.ts';
import { prepared, q } from '#server/db/query.ts';
import { consumeToken, endTokens, makeToken, type TokenKind, tokenHash } from '#server/db/tokens.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { unauthorized } from '#server/http/refusal.ts';
import type { Customer, Env, Services } from '#server/services/services.ts';
import { ACCOUNT_EMAILS, endAccountLinks } from './emails.ts';
import { eraseDevices, rememberDevice } from './known-devices.ts';
import {
  type Credentials,
  CUSTOMER_COLUMNS,
  eraseEmailChange,
  findCustomer,
  hasPassword,
} from './stored-customers.ts';

/** How long a sign-in lasts: 30 days, like the site's cookie. */
export const SESSION: TokenKind = { purpose: 'session', minutes: 30 * 24 * 60 };

/** Returns undefined if the password changed since it was verified. */
export const startSession = (
  services: Services,
  customer: Readonly<Credentials>,
  device: string | undefined,
) =>
  services.db.write(async (transaction) => {
    if (!(await hasPassword(transaction, customer))) return undefined;
    const token = await makeToken(transaction, services.clock(), SESSION, customer.id);
    return { token, device: await rememberDevice(transaction, services, customer.id, device) };
  });

const tokenOf = (context: Context): string | undefined =>
  /^Bearer ([\w-]{1,200})$/i.exec(context.req.header('authorization') ?? '')?.[1];

/** Ends the session of the request, if there is one. */
export async function endSession({ db, clock }: Services, context: Context): Promise<void> {
  const token = tokenOf(context);
  if (token !== undefined)
    await db.write((transaction) => consumeToken(transaction, clock(), SESSION, token));
}

/** Ends all sessions and clears the known devices. Returns the number of sessions. */
export async function endSessionsOf(transaction: Transaction, customerId: string): Promise<number> {
  await eraseDevices(transaction, customerId);
  return endTokens(transaction, [SESSION], customerId);
}

/**
 * Stores a new password and notifies the customer by email. Ends all sessions, links and known devices of the account, and
 * an unconfirmed change of email: an intruder may have requested it.
 */
export async function changePassword(
  transaction: Transaction,
  services: OutboxServices,
  customerId: string,
  passwordHash: string,
): Promise<void> {
  await transaction.run(q.updateTable('customers').set({ passwordHash }).where('id', '=', customerId));
  await endSessionsOf(transaction, customerId);
  const { email = '' } = (await findCustomer(transaction, customerId)) ?? {};
  await endAccountLinks(transaction, services.clock(), { id: customerId, email });
  await eraseEmailChange(transaction, customerId);
  await queueEmail(transaction, services, ACCOUNT_EMAILS.changed, customerId);
}

const BY_TOKEN = prepared(({ hash, now }: { hash: string; now: number }) =>
  q
    .selectFrom('tokens')
    .innerJoin('customers', 'customers.id', 'subjectId')
    .select(CUSTOMER_COLUMNS)
    .where('tokenHash', '=', hash)
    .where('purpose', '=', SESSION.purpose)
    .where('expiresAt', '>', now),
);

/** The customer who sends a request; undefined without a valid bearer token. */
export async function sessionCustomer(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  context: Context,
): Promise<Customer | undefined> {
  const token = tokenOf(context);
  if (token === undefined) return undefined;
  return db.row(BY_TOKEN({ hash: tokenHash(token), now: clock() }));
}

/** Refuses requests without a valid bearer token. Cookies are never read. @throws Refusal 401 */
export const requireCustomer = (services: Services) =>
  createMiddleware<Env>(async (context, next) => {
    const customer = await sessionCustomer(services, context);
    if (!customer) throw unauthorized();
    context.set('customer', customer);
    await next();
  });

/**
 * Erases everything that names the customer or gives access to the account. The email is free for a new account at once.
 * The row stays, because orders belong to it. Returns false if the account was already closed.
 */
export async function closeAccount(
  transaction: Transaction,
  customer: Pick<Customer, 'id' | 'email'>,
  now: number,
): Promise<boolean> {
  const erased = {
    email: `closed-${customer.id}`,
    passwordHash: '',
    firstName: '',
    lastName: '',
    language: null,
  };
  const update = q
    .updateTable('customers')
    .set({ ...erased, closedAt: now })
    .where('id', '=', customer.id);
  if ((await transaction.run(update.where('closedAt', 'is', null))) === 0) return false;
  await endSessionsOf(transaction, customer.id);
  await endAccountLinks(transaction, now, customer);
  return true;
}
