import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Handler, Hono } from 'hono';
import { cors } from 'hono/cors';

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

const listenerOf = (siteOrigins: readonly string[], answer: Handler): RequestListener =>
  getRequestListener(new Hono().use(corsFor(siteOrigins)).all('*', answer).fetch, {
    overrideGlobalObjects: false,
  });

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Responds until the database is reachable: /healthz with 200, all else with 503. */
export const answerWhileStarting = (siteOrigins: readonly string[]): RequestListener =>
  listenerOf(siteOrigins, (context) =>
    context.req.path === '/healthz'
      ? context.json({ status: 'ok' }, 200, NO_STORE)
      : context.json({ error: 'The service is starting.' }, 503, { ...NO_STORE, 'Retry-After': '1' }),
  );

/** Responds with 429 to a caller who holds too many of the proxies' connections. */
export const answerTooMany = (siteOrigins: readonly string[]): RequestListener =>
  listenerOf(siteOrigins, (context) =>
    context.json({ error: 'Too many requests at once' }, 429, {
      ...NO_STORE,
      'Retry-After': '5',
      Connection: 'close',
    }),
  );
