import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import { requireJson } from './http/body.ts';
import { answerError } from './http/errors.ts';
import { Refusal } from './http/refusal.ts';
import { API_BASE, OTHER_ROUTES, ROUTES, type Route } from './routes.ts';
import { requireUser } from './sessions.ts';
import { type Collaborators, type Env, openShop } from './shop.ts';

/** How long a browser may remember what it is allowed to send, in seconds. */
const PREFLIGHT_LIFE = 600;

const corsFor = (siteOrigins: readonly string[]) =>
  cors({
    origin: (origin) => (siteOrigins.includes(origin) ? origin : null),
    credentials: true,
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposeHeaders: ['Retry-After', 'ETag'],
    maxAge: PREFLIGHT_LIFE,
  });

/** The API as a function from request to answer; `server.ts` listens. */
export function createApp(given: Collaborators): Hono<Env> {
  const { clock, log, settings, around = [], faults } = given;
  const app = new Hono<Env>();
  const shop = openShop(given, async (path, init) => app.request(path, init));

  app.use(async (context, next) => {
    const start = clock();
    await next();
    context.header('X-Content-Type-Options', 'nosniff');
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store');
    // The route's pattern, never the address itself: numbers of orders and contacts stand in it.
    log('info', 'answered', {
      method: context.req.method,
      route: routePath(context, -1),
      status: context.res.status,
      ms: clock() - start,
    });
  });
  for (const middleware of around) app.use(middleware);
  app.use(corsFor(settings.siteOrigins));
  if (faults) app.use(faults);

  const allowed = new Map<string, string[]>();
  const add = (address: string, { method, handle }: Route, guards: readonly MiddlewareHandler<Env>[]) => {
    allowed.set(address, [...(allowed.get(address) ?? []), method]);
    for (const guard of guards) app.on(method, address, guard);
    app.on(method, address, (context) => handle(context, shop));
  };
  for (const route of ROUTES) {
    const json = route.method === 'POST' ? [requireJson] : [];
    const bearer = route.access === 'bearer' ? [requireUser(shop)] : [];
    add(API_BASE + route.path, route, [...json, ...bearer]);
  }
  for (const route of OTHER_ROUTES) add(route.path, route, []);
  for (const [address, methods] of allowed) {
    app.all(address, () => {
      throw new Refusal(405, 'Method not allowed', { headers: { Allow: methods.join(', ') } });
    });
  }
  app.notFound((context) => context.json({ error: 'Not found' }, 404));
  app.onError((error, context) => answerError(error, context, log));
  return app;
}
