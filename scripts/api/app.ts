import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { routePath } from 'hono/route';
import { secureHeaders } from 'hono/secure-headers';
import type { Route } from './call.ts';
import { UnstorableText } from './db/storable.ts';
import { StorageError } from './db/storage-error.ts';
import { Refusal, unavailable } from './http/refusal.ts';
import { readBody, requireType } from './http/request-body.ts';
import type { Log } from './log.ts';
import { API_BASE, API_CALLS, OTHER_ROUTES } from './routes.ts';
import { requireUser } from './sessions.ts';
import { type Collaborators, type Env, openShop } from './shop.ts';

/** How long a browser may remember what it is allowed to send, in seconds. */
const PREFLIGHT_LIFE = 600;

/** A longer X-Request-Id, or one with other signs than letters, digits, hyphens, underscores and '=', is replaced. */
const REQUEST_ID_MOST = 64;

const corsFor = (siteOrigins: readonly string[]) =>
  cors({
    origin: (origin) => (siteOrigins.includes(origin) ? origin : null),
    credentials: true,
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposeHeaders: ['Retry-After', 'ETag', 'X-Request-Id'],
    maxAge: PREFLIGHT_LIFE,
  });

/** A log of which every line names the request. */
const logOf =
  (context: Context<Env>, log: Log): Log =>
  (level, event, fields = {}) =>
    log(level, event, { ...fields, requestId: context.get('requestId') });

/** Turns whatever was thrown into an answer. A bug is logged with its stack, and its text stays inside. */
function answerError(error: Error, context: Context, log: Log): Response {
  if (error instanceof Refusal) return context.json(error.body, error.status, error.headers);
  if (error instanceof UnstorableText) {
    return answerError(new Refusal(422, 'A text of the request has a zero byte.'), context, log);
  }
  if (error instanceof StorageError) {
    log('error', 'storage failed', { code: error.code });
    return answerError(unavailable(), context, log);
  }
  log('error', 'unexpected error', { name: error.name, stack: error.stack ?? error.message });
  return context.json({ error: 'Something went wrong on our side' }, 500);
}

/** The API as a function from request to answer. `start.ts` lets it listen. */
export function createApp(given: Collaborators): Hono<Env> {
  const { clock, log, settings, around = [], faults } = given;
  const app = new Hono<Env>();
  const shop = openShop(given, async (path, init) => app.request(path, init));

  app.use(requestId({ limitLength: REQUEST_ID_MOST }));
  app.use(async (context, next) => {
    const start = clock();
    const started = performance.now();
    await next();
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store');
    // The log gets the route's pattern, because an address holds order numbers and contacts.
    const answered = {
      method: context.req.method,
      route: routePath(context, -1),
      status: context.res.status,
    };
    shop.metrics?.answered(answered, performance.now() - started);
    logOf(context, log)('info', 'answered', { ...answered, ms: clock() - start });
  });
  // A picture's answer allows other origins, so nothing is overwritten. The proxy that ends TLS says whether a host is
  // https only.
  app.use(secureHeaders({ overwrite: false, strictTransportSecurity: false }));
  for (const middleware of around) app.use(middleware);
  app.use(corsFor(settings.siteOrigins));
  if (faults) app.use(faults);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (context, methods) =>
        context.json({ error: 'Method not allowed' }, 405, { Allow: methods.join(', ') }),
    }),
  );

  const add = (
    path: string,
    { method, handle }: Route,
    bodyType: string,
    guards: MiddlewareHandler<Env>[],
  ) => {
    const body = method === 'POST' ? [requireType(bodyType), ...guards, readBody] : guards;
    for (const middleware of body) app.on(method, path, middleware);
    app.on(method, path, (context) => handle(context, { ...shop, log: logOf(context, log) }));
  };
  for (const call of API_CALLS) {
    const guards = call.access === 'bearer' ? [requireUser(shop)] : [];
    add(API_BASE + call.path, call, 'application/json', guards);
  }
  for (const route of OTHER_ROUTES) add(route.path, route, 'application/x-www-form-urlencoded', []);
  app.notFound((context) => context.json({ error: 'Not found' }, 404));
  app.onError((error, context) => answerError(error, context, logOf(context, log)));
  return app;
}
