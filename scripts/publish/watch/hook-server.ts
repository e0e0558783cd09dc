import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { BuildError } from '#scripts/program/explained-error.ts';
import type { Differences } from './differences.ts';
import { type Status, statusPage } from './status.ts';

export interface HookOptions {
  /** If undefined, the hook is off. */
  readonly token: string | undefined;
  readonly trigger: () => void;
  /** Goes back to the release before the live one. @throws BuildError */
  readonly rollBack: () => Promise<{ readonly from: string; readonly to: string }>;
  /** What a publication would change; undefined as long as nothing is live. */
  readonly differences: () => Promise<Differences | undefined>;
  readonly status: () => Promise<Status>;
  readonly port: number;
  readonly host: string;
}

/** For each caller: 120 calls a minute. */
const LIMIT = { points: 120, duration: 60 };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests of equal length in constant time (faults 84). */
const isToken = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token));

function givenToken({ headers }: IncomingMessage): string {
  const gitlab = headers['x-gitlab-token'];
  return typeof gitlab === 'string' ? gitlab : (headers.authorization ?? '').replace(/^Bearer\s+/i, '');
}

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

interface Answer {
  readonly status: number;
  /** A page, or a value that is sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : `${JSON.stringify(body)}\n`);
}

/** Listens for `/rebuild`, `/rollback`, `/differences` and `/status`. It reads nothing of a request except its token. */
export async function startHookServer(options: HookOptions) {
  const { token, port, host } = options;
  const limiter = new RateLimiterMemory(LIMIT);

  async function rollBack(): Promise<Answer> {
    try {
      return { status: 200, body: await options.rollBack() };
    } catch (error) {
      if (error instanceof BuildError) return { status: 409, body: { error: error.message } };
      throw error;
    }
  }

  async function showDifferences(): Promise<Answer> {
    const differences = await options.differences();
    return differences
      ? { status: 200, body: differences }
      : { status: 409, body: { error: 'Nothing was published yet' } };
  }

  async function showStatus({ headers }: IncomingMessage): Promise<Answer> {
    const current = await options.status();
    if (!(headers.accept ?? '').includes('text/html')) return { status: 200, body: current };
    return {
      status: 200,
      body: statusPage(current),
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    };
  }

  /** The calls that only the holder of the token may make. */
  const guarded = new Map<string, { readonly method: string; readonly run: () => Promise<Answer> }>([
    [
      '/rebuild',
      {
        method: 'POST',
        run: async () => {
          options.trigger();
          return { status: 202, body: { queued: true } };
        },
      },
    ],
    ['/rollback', { method: 'POST', run: rollBack }],
    ['/differences', { method: 'GET', run: showDifferences }],
  ]);

  async function refusal(request: IncomingMessage, method: string): Promise<Answer | undefined> {
    if (request.method !== method) {
      return { status: 405, body: { error: `Use ${method}` }, headers: { Allow: method } };
    }
    const isRight = token !== undefined && isToken(givenToken(request), token);
    // Calls with the right token have their own limit: behind a proxy all callers have one address, and strangers
    // would otherwise lock the owner out.
    const calls = await limiter
      .consume(`${isRight} ${request.socket.remoteAddress}`)
      // In memory nothing else can go wrong.
      .catch((exceeded: RateLimiterRes) => exceeded);
    if (calls.consumedPoints > LIMIT.points) {
      const headers = { 'Retry-After': String(Math.ceil(calls.msBeforeNext / 1_000)) };
      return { status: 429, body: { error: 'Too many requests' }, headers };
    }
    if (token === undefined) return { status: 404, body: { error: 'The hook is off: set REBUILD_TOKEN' } };
    return isRight ? undefined : { status: 401, body: { error: 'Wrong or missing token' } };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const call = guarded.get(path);
    if (call) return (await refusal(request, call.method)) ?? call.run();
    if (path !== '/' && path !== '/status') return { status: 404, body: { error: 'Not found' } };
    if (request.method === 'GET' || request.method === 'HEAD') return showStatus(request);
    return { status: 405, body: { error: 'Use GET' }, headers: { Allow: 'GET, HEAD' } };
  }

  const server = createServer((request, response) => {
    request.resume();
    void answer(request)
      .catch((): Answer => ({ status: 500, body: { error: 'This cannot be answered now' } }))
      .then((found) => send(response, found));
  });
  Object.assign(server, { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 5_000 });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
