import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { auth } from 'hono/utils/basic-auth';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { escapeMarkup } from '#domain/text.ts';
import { BuildError } from '#scripts/program/explained-error.ts';
import {
  ALLOW_SHRINK,
  CONFLICT,
  type Differences,
  type PublishingStatus,
  STALE,
  WATCHER_CALLS,
} from '#scripts/program/publishing.ts';
import { StaleRelease } from '#scripts/publish/release/switch.ts';

const row = (name: string, value: string): string =>
  `<tr><th scope="row">${name}</th><td>${escapeMarkup(value)}</td></tr>`;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}th{text-align:left;vertical-align:top;padding-right:2rem}pre{white-space:pre-wrap;margin:0}';

/** The status as a page for people. Texts from the catalogue are escaped. */
export function statusPage(status: PublishingStatus): string {
  const releases = status.releases.map(
    ({ id, at, kind, summary }) =>
      `<tr><td>${escapeMarkup(id)}${id === status.live ? ' <strong>live</strong>' : ''}</td><td>${escapeMarkup(kind)} ${escapeMarkup(at)}</td><td><pre>${escapeMarkup(summary.join('\n'))}</pre></td></tr>`,
  );
  const rows = [
    row('Now', status.pending ? `${status.state}, one more build waits` : status.state),
    row('Live release', status.live ?? 'none yet'),
    row('Catalogue last looked at', status.checkedAt ?? 'not yet'),
    ...(status.checkFailure ? [row('The catalogue does not answer', status.checkFailure)] : []),
    ...(status.failure ? [row('Last build failed', status.failure)] : []),
    ...(status.retryAt ? [row('Next try', new Date(status.retryAt).toISOString())] : []),
  ];
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Publishing: ${escapeMarkup(status.state)}</title><style>${STYLE}</style></head><body><main><h1>Publishing</h1><table>${rows.join('')}</table><h2>Last releases</h2><table><thead><tr><th>Release</th><th>When</th><th>What changed</th></tr></thead><tbody>${releases.join('')}</tbody></table></main></body></html>`;
}

export interface HookOptions {
  /** If undefined, the hook is off. */
  readonly token: string | undefined;
  readonly trigger: (allowShrink: boolean) => void;
  /** Goes back to the release before the live one, which must be `from` if that is given. @throws BuildError */
  readonly rollBack: (from: string | undefined) => Promise<{ readonly from: string; readonly to: string }>;
  /** What a publication would change; undefined as long as nothing is live. */
  readonly differences: () => Promise<Differences | undefined>;
  readonly status: () => Promise<PublishingStatus>;
  readonly port: number;
  readonly host: string;
}

/** For each caller: 120 calls a minute. */
const LIMIT = { points: 120, duration: 60 };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests of equal length in constant time. */
const isToken = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token));

const BEARER = /^Bearer (.+)$/i;

/** The token of a program, of GitLab, or of a browser that asked a person for a password. */
const givenToken = ({ req }: Context): string =>
  BEARER.exec(req.header('Authorization') ?? '')?.[1] ??
  req.header('X-Gitlab-Token') ??
  auth(req.raw)?.password ??
  '';

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** Lets only the holder of the token pass. */
function requireToken(token: string | undefined): MiddlewareHandler {
  const limiter = new RateLimiterMemory(LIMIT);
  return async (context, next) => {
    const isRight = token !== undefined && isToken(givenToken(context), token);
    // Calls with the right token have their own limit: behind a proxy all callers have one address, and strangers
    // would otherwise lock the owner out.
    const calls = await limiter
      .consume(`${isRight} ${getConnInfo(context).remote.address}`)
      // In memory nothing else can go wrong.
      .catch((exceeded: RateLimiterRes) => exceeded);
    if (calls.consumedPoints > LIMIT.points) {
      const headers = { 'Retry-After': String(Math.ceil(calls.msBeforeNext / 1_000)) };
      return context.json({ error: 'Too many requests' }, 429, headers);
    }
    if (token === undefined) return context.json({ error: 'The hook is off: set REBUILD_TOKEN' }, 404);
    if (isRight) return next();
    return context.json({ error: 'Wrong or missing token' }, 401, { 'WWW-Authenticate': 'Basic' });
  };
}

/** Answers WATCHER_CALLS. It reads nothing of a request but its token and its query. */
function createHook(options: HookOptions): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (context, methods) =>
        context.json({ error: `Use ${methods.join(' or ')}` }, 405, { Allow: methods.join(', ') }),
    }),
  );
  const guard = requireToken(options.token);
  const { status, publish, rollBack, differences } = WATCHER_CALLS;
  app.on(status.method, ['/', status.path], guard, async (context) => {
    const current = await options.status();
    return context.req.header('Accept')?.includes('text/html')
      ? context.html(statusPage(current))
      : context.json(current);
  });
  app.on(publish.method, publish.path, guard, (context) => {
    options.trigger(context.req.query(ALLOW_SHRINK) === 'true');
    return context.json({ queued: true }, 202);
  });
  app.on(rollBack.method, rollBack.path, guard, async (context) =>
    context.json(await options.rollBack(context.req.query('from'))),
  );
  app.on(differences.method, differences.path, guard, async (context) => {
    const found = await options.differences();
    return found ? context.json(found) : context.json({ error: 'Nothing was published yet' }, CONFLICT);
  });
  app.notFound((context) => context.json({ error: 'Not found' }, 404));
  app.onError((error, context) =>
    error instanceof BuildError
      ? context.json({ error: error.message }, error instanceof StaleRelease ? STALE : CONFLICT)
      : context.json({ error: 'This cannot be answered now' }, 500),
  );
  return app;
}

export async function startHookServer(options: HookOptions) {
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000 },
    getRequestListener(createHook(options).fetch, { overrideGlobalObjects: false }),
  );
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
