import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';

/** How long a browser may remember what it is allowed to send, in seconds. */
const PREFLIGHT_LIFE = 600;

/** Lets the pages of the site read an answer, errors as well. */
export const corsFor = (siteOrigins: readonly string[]) =>
  cors({
    origin: (origin) => (siteOrigins.includes(origin) ? origin : null),
    credentials: true,
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposeHeaders: ['Retry-After', 'ETag', 'X-Request-Id', 'Link'],
    maxAge: PREFLIGHT_LIFE,
  });

const listenerOf = (app: Hono): RequestListener =>
  getRequestListener(app.fetch, { overrideGlobalObjects: false });

/** Answers while the database is not there yet: /healthz is a 200, and all else is to be asked again. */
export const answerWhileStarting = (siteOrigins: readonly string[]): RequestListener =>
  listenerOf(
    new Hono()
      .use(corsFor(siteOrigins))
      .get('/healthz', (context) => context.json({ status: 'ok' }, 200, { 'Cache-Control': 'no-store' }))
      .all('*', (context) =>
        context.json({ error: 'The service is starting.' }, 503, {
          'Cache-Control': 'no-store',
          'Retry-After': '1',
        }),
      ),
  );

/** Answers a caller who holds too many connections of the proxies. */
export const answerTooMany = (siteOrigins: readonly string[]): RequestListener =>
  listenerOf(
    new Hono().use(corsFor(siteOrigins)).all('*', (context) =>
      context.json({ error: 'Too many requests at once' }, 429, {
        'Cache-Control': 'no-store',
        'Retry-After': '5',
        Connection: 'close',
      }),
    ),
  );
