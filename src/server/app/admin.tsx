import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { csrf } from 'hono/csrf';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { CURRENT_PASSWORD, FORM_KEY, NEW_PASSWORD } from '#server/admin/change.ts';
import {
  type AdminContext,
  type AdminEnv,
  type AdminPage,
  requireHttps,
  staffOf,
} from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { mayOpen, ROLES } from '#server/admin/roles.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { StorageError, storageProblem } from '#server/db/errors.ts';
import { randomToken } from '#server/db/tokens.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readBytes } from '#server/http/request-body.ts';
import type { Log } from '#server/process/log.ts';
import { MAX_BODY_BYTES, refusalOf } from '#server/services/call.ts';
import type { Services } from '#server/services/services.ts';
import { requirePassword } from '#server/staff/password-pages.tsx';
import { requireStaff, signInPath } from '#server/staff/session.ts';
import { ADMIN_PAGES, SECTIONS } from './admin-pages.tsx';

const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

const tooLarge = (max: number): Refusal =>
  new Refusal(
    413,
    max > MAX_BODY_BYTES
      ? `What was sent is larger than ${Math.floor(max / 1_024 / 1_024)} MB, and nothing of it was stored. Go back, and choose fewer or smaller files.`
      : 'What was sent is too long, and nothing of it was stored. Go back, and make it shorter.',
  );

/** Parses the form into the context. @param max in bytes @throws Refusal 400, 413, 415 */
const readForm = (max = MAX_BODY_BYTES) =>
  createMiddleware<AdminEnv>(async (context, next) => {
    const type = context.req.header('content-type') ?? '';
    if (!FORM_TYPE.test(type)) throw new Refusal(415, 'The request must be a form.');
    const bytes = await readBytes(context.req.raw, max).catch((error: unknown) => {
      throw error instanceof Refusal && error.status === 413 ? tooLarge(max) : error;
    });
    try {
      context.set('form', await new Response(bytes, { headers: { 'Content-Type': type } }).formData());
    } catch {
      throw new Refusal(400, 'The form cannot be read.');
    }
    await next();
  });

/** Shows a form again that was sent after its session had ended, so that nothing is lost. Passwords are not shown. */
function showSignedOut(context: AdminContext): Response | Promise<Response> {
  const form = context.get('form');
  if (!form.has(FORM_KEY) || form.has(CURRENT_PASSWORD) || form.has(NEW_PASSWORD))
    return context.redirect(signInPath(context), 303);
  const { pathname, search } = new URL(context.req.url);
  return showForm(context, {
    title: 'You were signed out',
    intro: (
      <p>
        Nothing was changed.{' '}
        <a href={`${ADMIN}/sign-in`} target="_blank" rel="noreferrer">
          Sign in in another tab
        </a>
        , come back here, and send it again.
      </p>
    ),
    fields: {},
    action: `${pathname}${search}`,
    submit: 'Send it again',
    hidden: [...form].map(([name, value]) => [name, String(value)] as const),
    status: 401,
  });
}

/** Titles of the error pages, by status. */
const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  413: 'Too large',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Please try again',
};

const showError = (context: AdminContext, { status, message }: Refusal) =>
  showPage(context, {
    title: TITLES[status] ?? 'This cannot be done',
    content: (
      <>
        <p>{message}</p>
        <p>
          <a href={ADMIN}>Back to the admin</a>
        </p>
      </>
    ),
    status,
  });

/** hono/csrf throws an exception of its own. */
function asRefusal(error: Error, log: Log): Refusal {
  if (error instanceof HTTPException)
    return new Refusal(403, 'The form was not sent from the admin. Nothing was done.');
  const refusal = refusalOf(error, log);
  if (!(error instanceof StorageError)) return refusal;
  const { status, headers } = refusal;
  return new Refusal(status, `${storageProblem(error)} Nothing was changed. Please try again.`, { headers });
}

const PATTERNS = ADMIN_PAGES.map((page) => ({
  page,
  pattern: new RegExp(`^${ADMIN}${page.path.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/** Addresses outside the admin may always be opened. */
function mayOpenAddress(context: AdminContext, address: string, method: AdminPage['method']): boolean {
  const staff = context.get('staff');
  if (!staff || ROLES[staff.role].may === 'everything') return true;
  const [path = ''] = address.split(/[?#]/, 1);
  const found = PATTERNS.find(({ page, pattern }) => page.method === method && pattern.test(path));
  return !found || mayOpen(found.page, staff.role);
}

const requireRole =
  (page: AdminPage): MiddlewareHandler<AdminEnv> =>
  async (context, next) => {
    if (!mayOpen(page, staffOf(context).role)) {
      throw new Refusal(403, 'Your role does not open this page. Ask an owner.');
    }
    await next();
  };

/**
 * The admin as a separate app, which `app.ts` mounts at /admin. Except pages for anyone, every page needs a session
 * with the right role. @param logOf makes a log whose lines name the request
 */
export function createAdmin(services: Services, logOf: (requestId: string) => Log): Hono<AdminEnv> {
  const admin = new Hono<AdminEnv>();
  const sections = SECTIONS.filter(({ path }) => ADMIN_PAGES.some((page) => page.path === path));

  admin.use(async (context, next) => {
    context.set('sections', sections);
    context.set('mayOpen', (address, method = 'GET') => mayOpenAddress(context, address, method));
    context.set('formKey', randomToken);
    await next();
  });
  admin.use(
    secureHeaders({
      overwrite: false,
      // `app.ts` sets it.
      strictTransportSecurity: false,
      // Scripts and styles are the admin's own files. Pictures may come from any https address of the catalogue.
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', services.apiOrigin],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      xFrameOptions: 'DENY',
      // With no-referrer, browsers would send the Origin 'null' with forms, and the CSRF check would fail.
      referrerPolicy: 'same-origin',
    }),
  );
  // Pages are not compressed: they hold secrets beside text that shoppers wrote (BREACH).
  admin.use('/assets/*', compress());
  admin.use(requireHttps(services));
  admin.use(csrf({ origin: services.apiOrigin }));

  for (const page of ADMIN_PAGES) {
    const isForm = page.method === 'POST';
    // Strangers may send small forms, but no large ones.
    const isSmall = isForm && page.maxFormBytes === undefined;
    const guards: MiddlewareHandler<AdminEnv>[] = isSmall ? [readForm()] : [];
    if (page.access !== 'anyone')
      guards.push(requireStaff(services, isSmall ? showSignedOut : undefined), requireRole(page));
    if (isForm && !isSmall) guards.push(readForm(page.maxFormBytes));
    if (page.asksPassword) guards.push(requirePassword(services));
    for (const guard of guards) admin.on(page.method, page.path, guard);
    admin.on(page.method, page.path, (context) =>
      page.handle(context, { ...services, log: logOf(context.get('requestId')) }),
    );
  }
  admin.all('*', requireStaff(services), () => {
    throw new Refusal(404, 'The admin has no such page.');
  });
  admin.onError((error, context) => {
    const refusal = asRefusal(error, logOf(context.get('requestId')));
    for (const [name, value] of Object.entries(refusal.headers)) context.header(name, value);
    return showError(context, refusal);
  });
  return admin;
}
