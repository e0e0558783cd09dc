import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import { requireJson } from './http/body.ts';
import { answerError } from './http/errors.ts';
import { Refusal } from './http/refusal.ts';
import { showImage } from './routes/images.ts';
import { API_BASE, ROUTES } from './routes.ts';
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
  const shop = openShop(given);
  const { clock, log, settings, around = [] } = given;
  const app = new Hono<Env>();

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

  const allowed = new Map<string, string[]>();
  for (const { method, path, access, handle } of ROUTES) {
    const address = API_BASE + path;
    allowed.set(address, [...(allowed.get(address) ?? []), method]);
    if (method === 'POST') app.on(method, address, requireJson);
    if (access === 'bearer') app.on(method, address, requireUser(shop));
    app.on(method, address, (context) => handle(context, shop));
  }
  app.get('/images/:name', (context) => showImage(context, shop));

  for (const [address, methods] of allowed) {
    app.all(address, () => {
      throw new Refusal(405, 'Method not allowed', { headers: { Allow: methods.join(', ') } });
    });
  }
  app.notFound((context) => context.json({ error: 'Not found' }, 404));
  app.onError((error, context) => answerError(error, context, log));
  return app;
}
