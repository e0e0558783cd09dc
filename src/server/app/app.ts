import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { routePath } from 'hono/route';
import { secureHeaders } from 'hono/secure-headers';
import { ADMIN } from '#server/admin/paths.ts';
import { createCatalogue } from '#server/catalogue/catalogue-cache.ts';
import { requireCustomer } from '#server/customers/sessions.ts';
import { createCallerOf } from '#server/http/caller.ts';
import { requireType } from '#server/http/request-body.ts';
import { apart, openCounts } from '#server/limits/counts.ts';
import { createLanes } from '#server/limits/queue.ts';
import { dataSharedWithProviders, providersOf } from '#server/payments/providers/providers.ts';
import { SANDBOX_ROUTES } from '#server/payments/providers/sandbox/gateway.tsx';
import { PROVIDER_ROUTES } from '#server/payments/webhooks.ts';
import { policyRetention } from '#server/privacy/retention.ts';
import type { Log } from '#server/process/log.ts';
import { API_BASE, type Route, readBody, refusalOf } from '#server/services/call.ts';
import { capabilitiesOf, paymentKindsOf } from '#server/services/capabilities.ts';
import { createMetrics } from '#server/services/metrics.ts';
import type { Collaborators, Env, Services } from '#server/services/services.ts';
import { createAdmin } from './admin.tsx';
import { API_CALLS, OTHER_ROUTES } from './calls.ts';

/** How long browsers cache a preflight, in seconds. */
const PREFLIGHT_LIFE = 600;

/** Lets the pages of the site read responses, including errors. */
export const corsFor = (siteOrigins: readonly string[]) =>
  cors({
    origin: (origin) => (siteOrigins.includes(origin) ? origin : null),
    credentials: true,
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposeHeaders: ['Retry-After', 'ETag', 'X-Request-Id', 'Link'],
    maxAge: PREFLIGHT_LIFE,
  });

export function createServices(given: Collaborators): Services {
  const { db, clock, settings } = given;
  const callerOf = createCallerOf(settings.trustedProxies);
  const limits = {
    spend: openCounts(db, settings.limitFactor, given.counts),
    lane: createLanes(settings.hashing.atOnce),
  };
  const apiOrigin = settings.apiOrigin ?? `http://localhost:${settings.port}`;
  const services: Services = {
    ...given,
    apiOrigin,
    catalogue: createCatalogue(db, apiOrigin, clock, () => ({
      capabilities: capabilitiesOf(settings),
      paymentProviders: dataSharedWithProviders(services),
      paymentMethods: paymentKindsOf(settings),
      ...(settings.mail && { mailProvider: settings.mailProvider, retention: policyRetention() }),
    })),
    metrics: settings.metricsToken === undefined ? undefined : createMetrics(limits.lane),
    limits,
    failingJobs: new Map(),
    callerOf,
    payersOf(context) {
      const [caller, { id, emailVerified }] = [callerOf(context), context.get('customer')];
      // Accounts are free. Strangers on a line must not use up the share of its confirmed accounts.
      return { ...(emailVerified === 1 ? apart('confirmed', caller) : caller), account: id };
    },
  };
  return services;
}

/** Returns the API as Hono's application, and the services of its routes. `start.ts` listens. */
export function createApp(given: Collaborators): { readonly app: Hono<Env>; readonly services: Services } {
  const { clock, log, settings } = given;
  const app = new Hono<Env>();
  const services = createServices(given);
  /** A log whose lines all name the request. */
  const logOf =
    (requestId: string): Log =>
    (level, event, fields = {}) =>
      log(level, event, { ...fields, requestId });

  // A longer X-Request-Id, or one with characters other than letters, digits, '-', '_' and '=', is replaced.
  app.use(requestId({ limitLength: 64 }));
  app.use(async (context, next) => {
    const start = clock();
    const started = performance.now();
    await next();
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store');
    // The log has the route's pattern, because URLs contain order numbers, emails and phones.
    const [{ method }, { status }] = [context.req, context.res];
    const answered = { method, route: routePath(context, -1), status };
    services.metrics?.answered(answered, performance.now() - started);
    logOf(context.get('requestId'))('info', 'answered', { ...answered, ms: clock() - start });
  });
  // Overwrites no header, because pictures allow other origins.
  app.use(secureHeaders({ overwrite: false, strictTransportSecurity: settings.hsts ?? false }));
  // The admin is mounted before CORS, so that no other site can read it.
  if (settings.admin) app.route(ADMIN, createAdmin(services, logOf));
  app.use(corsFor(settings.siteOrigins));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (context, methods) =>
        context.json({ error: 'Method not allowed' }, 405, { Allow: methods.join(', ') }),
    }),
  );

  const add = (
    path: string,
    { method, handle, bodyTypes }: Route,
    bodyType: string,
    guards: MiddlewareHandler<Env>[],
  ) => {
    const before =
      method === 'POST' ? [requireType(...(bodyTypes ?? [bodyType])), ...guards, readBody] : guards;
    for (const middleware of before) app.on(method, path, middleware);
    app.on(method, path, (context) => handle(context, { ...services, log: logOf(context.get('requestId')) }));
  };
  for (const call of API_CALLS) {
    const guards = call.access === 'bearer' ? [requireCustomer(services)] : [];
    add(API_BASE + call.path, call, 'application/json', guards);
  }
  const sandbox = providersOf(services).has('sandbox') ? SANDBOX_ROUTES : [];
  for (const route of PROVIDER_ROUTES) add(route.path, route, 'application/json', []);
  for (const route of [...OTHER_ROUTES, ...sandbox])
    add(route.path, route, 'application/x-www-form-urlencoded', []);
  app.notFound((context) => context.json({ error: 'Not found' }, 404));
  app.onError((error, context) => {
    const { body, status, headers } = refusalOf(error, logOf(context.get('requestId')));
    return context.json(body, status, headers);
  });
  return { app, services };
}
