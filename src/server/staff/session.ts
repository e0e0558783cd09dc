import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { RecordChange } from '#server/admin/change-log.ts';
import { type AdminContext, type AdminEnv, isSecure, type StaffMember } from '#server/admin/page.ts';
import { ADMIN, SECOND_FACTOR } from '#server/admin/paths.ts';
import { RoleSchema } from '#server/admin/roles.ts';
import { rememberDevice } from '#server/customers/known-devices.ts';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { consumeToken, endTokens, makeToken, type TokenKind, tokenHash } from '#server/db/tokens.ts';
import type { Services } from '#server/services/services.ts';
import { findFactor, isRequired, switchOff } from './second-factor.ts';

/** How long a sign-in lasts: 12 hours. */
export const SESSION: TokenKind = { purpose: 'staffSession', minutes: 12 * 60 };

/** The step between password and code. Its token is about the staff member's id. */
export const SIGN_IN_STEP: TokenKind = { purpose: 'staffSignIn', minutes: 10 };

const COOKIE = 'admin';

const DEVICE_COOKIE = 'admin-device';

/** In seconds, the maximum of browsers. */
const DEVICE_COOKIE_LIFE = 400 * 24 * 60 * 60;

const LOCAL = { path: ADMIN, httpOnly: true, sameSite: 'Strict' } as const;

/** Browsers accept the name `__Secure-admin` only over https. */
const SECURE = { ...LOCAL, secure: true, prefix: 'secure' } as const;

const cookieOptions = (context: AdminContext, services: Services) =>
  isSecure(context, services) ? SECURE : LOCAL;

const cookieOf = (context: AdminContext, services: Services, name: string) =>
  getCookie(context, name, isSecure(context, services) ? SECURE.prefix : undefined);

/** The token of a known device. */
export const deviceOf = (context: AdminContext, services: Services) =>
  cookieOf(context, services, DEVICE_COOKIE);

/** Stores a session, and its browser as a known device. */
export async function storeSession(
  transaction: Transaction,
  services: Pick<Services, 'clock'>,
  staffId: string,
  device: string | undefined,
) {
  const token = await makeToken(transaction, services.clock(), SESSION, staffId);
  return { token, device: await rememberDevice(transaction, services, staffId, device) };
}

/** Call it in the transaction that changes a role or a password. */
export const endSessions = (transaction: Transaction, staffId: string): Promise<number> =>
  endTokens(transaction, [SIGN_IN_STEP, SESSION], staffId);

/** For a staff member who has lost phone and recovery codes. Returns false if there is no second factor. */
export async function removeFactor(
  transaction: Transaction,
  log: RecordChange,
  { id, email }: Pick<StaffMember, 'id' | 'email'>,
): Promise<boolean> {
  if (!(await switchOff(transaction, id))) return false;
  await endSessions(transaction, id);
  await log({ action: 'switched off the second factor', target: ['staff', email] });
  return true;
}

export function sendSession(
  context: AdminContext,
  services: Services,
  { token, device }: Awaited<ReturnType<typeof storeSession>>,
): void {
  const options = cookieOptions(context, services);
  setCookie(context, COOKIE, token, { ...options, maxAge: SESSION.minutes * 60 });
  setCookie(context, DEVICE_COOKIE, device, { ...options, maxAge: DEVICE_COOKIE_LIFE });
}

export async function endSession(context: AdminContext, services: Services): Promise<void> {
  const token = cookieOf(context, services, COOKIE);
  if (token !== undefined)
    await services.db.write((transaction) => consumeToken(transaction, services.clock(), SESSION, token));
  deleteCookie(context, COOKIE, cookieOptions(context, services));
}

const STAFF = q
  .selectFrom('tokens')
  .innerJoin('staff', 'staff.id', 'subjectId')
  .select(['id', 'email', 'name', 'role'])
  .where('purpose', '=', SESSION.purpose);

export async function findStaff(context: AdminContext, services: Services): Promise<StaffMember | undefined> {
  const token = cookieOf(context, services, COOKIE);
  if (token === undefined) return undefined;
  const signedIn = STAFF.where('tokenHash', '=', tokenHash(token)).where('expiresAt', '>', services.clock());
  return services.db.row(signedIn, { role: RoleSchema });
}

/**
 * Redirects visitors without a session to the sign-in page. Unknown addresses do the same, so that they reveal nothing.
 * A staff member without a required second factor must set it up first. @param answer to visitors, if not the redirect
 */
export const requireStaff = (
  services: Services,
  answer = (context: AdminContext): Response | Promise<Response> =>
    context.redirect(signInPath(context), 303),
) =>
  createMiddleware<AdminEnv>(async (context, next) => {
    const staff = await findStaff(context, services);
    if (!staff) return answer(context);
    context.set('staff', staff);
    const isAllowed = context.req.path === SECOND_FACTOR || !(await isRequired(services.db));
    if (!isAllowed && !(await findFactor(services.db, staff.id))) return context.redirect(SECOND_FACTOR, 303);
    return next();
  });

const ANY_ORIGIN = 'http://admin.invalid';

/** Returns the page to open after signing in: an address of the admin, else its home page. */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, ANY_ORIGIN)) return ADMIN;
  const { origin, pathname, search } = new URL(given, ANY_ORIGIN);
  const isAdmin = origin === ANY_ORIGIN && (pathname === ADMIN || pathname.startsWith(`${ADMIN}/`));
  return isAdmin && !pathname.startsWith(`${ADMIN}/sign-`) ? pathname + search : ADMIN;
}

/** Returns the address of the sign-in page, which leads back to this page, or to the home page after a form. */
export function signInPath({ req }: AdminContext): string {
  const { pathname, search } = new URL(req.url);
  const path = req.method === 'GET' ? returnPath(pathname + search) : ADMIN;
  return `${ADMIN}/sign-in${path === ADMIN ? '' : `?${new URLSearchParams({ to: path })}`}`;
}
