import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { timingSafeEqual } from 'hono/utils/buffer';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { StaleRelease } from '#scripts/publish/release/switch.ts';
import { listen } from '#server/http/node-server.ts';
import { BuildError } from '#server/process/explained-error.ts';
import {
  ALLOW_SHRINK,
  CONFLICT,
  type Differences,
  type PublishingStatus,
  RELEASE_CHANGED,
  WATCHER_CALLS,
} from '#server/process/publishing.ts';

export interface HookOptions {
  /** undefined: the hook is off */
  readonly token: string | undefined;
  readonly trigger: (allowShrink: boolean) => void;
  /** Goes back to the release before the live one, which must be `from` if that is given. @throws BuildError */
  readonly rollBack: (from: string | undefined) => Promise<{ readonly from: string; readonly to: string }>;
  /** Returns what a publication would change; undefined while nothing is live. */
  readonly differences: () => Promise<Differences | undefined>;
  readonly status: () => Promise<PublishingStatus>;
  readonly port: number;
  readonly host: string;
}

/** Per caller: 120 calls a minute. */
const LIMIT = { points: 120, duration: 60 };

const BEARER = /^Bearer (.+)$/i;

function requireToken(token: string | undefined): MiddlewareHandler {
  const limiter = new RateLimiterMemory(LIMIT);
  return async (context, next) => {
    const [, given = ''] = BEARER.exec(context.req.header('Authorization') ?? '') ?? [];
    const isRight = token !== undefined && (await timingSafeEqual(given, token));
    // Calls with the right token have their own limit. Behind a proxy all callers have one address, and strangers
    // would otherwise lock the owner out.
    const calls = await limiter
      .consume(`${isRight} ${getConnInfo(context).remote.address}`)
      // In memory, it rejects for no other reason.
      .catch((exceeded: RateLimiterRes) => exceeded);
    if (calls.consumedPoints > LIMIT.points) {
      const headers = { 'Retry-After': String(Math.ceil(calls.msBeforeNext / 1_000)) };
      return context.json({ error: 'Too many requests' }, 429, headers);
    }
    if (token === undefined) return context.json({ error: 'The hook is off: set REBUILD_TOKEN' }, 404);
    if (isRight) return next();
    return context.json({ error: 'Wrong or missing token' }, 401, { 'WWW-Authenticate': 'Bearer' });
  };
}

/** Answers WATCHER_CALLS. It reads nothing of a request except its token and its query. */
function createHook(options: HookOptions): Hono {
  const app = new Hono();
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (context, methods) =>
        context.json({ error: `Use ${methods.join(' or ')}` }, 405, { Allow: methods.join(', ') }),
    }),
  );
  const guard = requireToken(options.token);
  const { status, publish, rollBack, differences } = WATCHER_CALLS;
  app.on(status.method, status.path, guard, async (context) => context.json(await options.status()));
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
      ? context.json({ error: error.message }, error instanceof StaleRelease ? RELEASE_CHANGED : CONFLICT)
      : context.json({ error: 'This cannot be answered now' }, 500),
  );
  return app;
}

export async function startHookServer(options: HookOptions) {
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000 },
    getRequestListener(createHook(options).fetch, { overrideGlobalObjects: false }),
  );
  const port = await listen(server, options.port, options.host);
  return {
    port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
