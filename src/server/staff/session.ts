import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { rememberDevice } from '#server/customers/known-devices.ts';
import type { Transaction } from '#server/db/database.ts';
import { isSecure, type OfficeContext, type OfficeEnv, type Staff } from '#server/admin/page.ts';
import { OFFICE, SECOND_FACTOR } from '#server/admin/paths.ts';
import { RoleSchema } from '#server/admin/roles.ts';
import { tokenHash } from '#server/services/ids.ts';
import type { Shop } from '#server/services/shop.ts';
import { findFactor, isRequired } from './second-factor.ts';

/** In ms. */
const SESSION_LIFE = 12 * 60 * 60 * 1_000;

/** How long the numbers of forms are stored, in ms: longer than any session in which the same form could come again. */
const FORMS_KEPT = 2 * SESSION_LIFE;

const COOKIE = 'office';

const DEVICE_COOKIE = 'office-device';

/** In seconds. Browsers keep no cookie longer. */
const DEVICE_COOKIE_LIFE = 400 * 24 * 60 * 60;

const StaffRowSchema = v.object({ id: v.string(), email: v.string(), name: v.string(), role: RoleSchema });

/** The prefix makes the name `__Secure-office`, which browsers accept only over https. */
const SECURE = { path: OFFICE, httpOnly: true, sameSite: 'Strict', secure: true, prefix: 'secure' } as const;

const LOCAL = { path: OFFICE, httpOnly: true, sameSite: 'Strict' } as const;

const cookieOptions = (context: OfficeContext, shop: Shop) => (isSecure(context, shop) ? SECURE : LOCAL);

const cookieOf = (context: OfficeContext, shop: Shop, name: string): string | undefined =>
  isSecure(context, shop) ? getCookie(context, name, SECURE.prefix) : getCookie(context, name);

const tokenOf = (context: OfficeContext, shop: Shop) => cookieOf(context, shop, COOKIE);

/** The token of this browser, by which accounts know it. */
export const deviceOf = (context: OfficeContext, shop: Shop) => cookieOf(context, shop, DEVICE_COOKIE);

interface BegunSession {
  readonly token: string;
  readonly device: string;
}

/** Stores a session. Its browser is known to the account from now on. */
export async function storeSession(
  transaction: Transaction,
  shop: Pick<Shop, 'ids' | 'clock'>,
  staffId: string,
  device: string | undefined,
): Promise<BegunSession> {
  const { ids, clock } = shop;
  const token = ids.token();
  await transaction.run('DELETE FROM staff_sessions WHERE expires_at <= ?', clock());
  await transaction.run('DELETE FROM office_forms WHERE used_at <= ?', clock() - FORMS_KEPT);
  await transaction.run(
    'INSERT INTO staff_sessions (token_hash, staff_id, expires_at) VALUES (?, ?, ?)',
    tokenHash(token),
    staffId,
    clock() + SESSION_LIFE,
  );
  return { token, device: await rememberDevice(transaction, shop, 'staff', staffId, device) };
}

/** Must be called in the transaction that changes a role or a password. */
export async function endSessions(transaction: Transaction, staffId: string): Promise<void> {
  await transaction.run('DELETE FROM staff_sign_in_steps WHERE staff_id = ?', staffId);
  await transaction.run('DELETE FROM staff_sessions WHERE staff_id = ?', staffId);
}

export function sendSession(context: OfficeContext, shop: Shop, { token, device }: BegunSession): void {
  const options = cookieOptions(context, shop);
  setCookie(context, COOKIE, token, { ...options, maxAge: SESSION_LIFE / 1_000 });
  setCookie(context, DEVICE_COOKIE, device, { ...options, maxAge: DEVICE_COOKIE_LIFE });
}

/** Ends the session of this browser. */
export async function endSession(context: OfficeContext, shop: Shop): Promise<void> {
  const token = tokenOf(context, shop);
  if (token !== undefined) {
    await shop.db.write((transaction) =>
      transaction.run('DELETE FROM staff_sessions WHERE token_hash = ?', tokenHash(token)),
    );
  }
  deleteCookie(context, COOKIE, cookieOptions(context, shop));
}

export async function findStaff(context: OfficeContext, shop: Shop): Promise<Staff | undefined> {
  const token = tokenOf(context, shop);
  if (token === undefined) return undefined;
  return shop.db.get(
    StaffRowSchema,
    `SELECT id, email, name, role FROM staff_sessions JOIN staff ON staff.id = staff_sessions.staff_id
     WHERE token_hash = ? AND expires_at > ?`,
    tokenHash(token),
    shop.clock(),
  );
}

/**
 * Sends everybody without a session to the sign-in page, whatever the address, so that nobody learns which
 * addresses there are. Where everybody needs a second factor, whoever has none sets it up first.
 */
export const requireStaff = (shop: Shop) =>
  createMiddleware<OfficeEnv>(async (context, next) => {
    const staff = await findStaff(context, shop);
    if (!staff) return context.redirect(signInPath(context), 303);
    context.set('staff', staff);
    const isAllowed = context.req.path === SECOND_FACTOR || !(await isRequired(shop.db));
    if (!isAllowed && !(await findFactor(shop.db, staff.id))) return context.redirect(SECOND_FACTOR, 303);
    return next();
  });

const ANY_ORIGIN = 'http://office.invalid';

/** Where somebody goes after signing in: an address of the office, else its home. */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, ANY_ORIGIN)) return OFFICE;
  const { origin, pathname, search } = new URL(given, ANY_ORIGIN);
  const isOffice = origin === ANY_ORIGIN && (pathname === OFFICE || pathname.startsWith(`${OFFICE}/`));
  return isOffice && !pathname.startsWith(`${OFFICE}/sign-`) ? pathname + search : OFFICE;
}

/** The address of the sign-in page. After signing in, it leads back to this page, or to the office's home from a form's address. */
export function signInPath({ req }: OfficeContext): string {
  const { pathname, search } = new URL(req.url);
  const path = req.method === 'GET' ? returnPath(pathname + search) : OFFICE;
  return `${OFFICE}/sign-in${path === OFFICE ? '' : `?${new URLSearchParams({ to: path })}`}`;
}
