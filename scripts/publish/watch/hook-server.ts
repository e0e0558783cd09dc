import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Status, statusPage } from './status.ts';

export interface HookOptions {
  /** If undefined, the hook is off. */
  readonly token: string | undefined;
  readonly trigger: () => void;
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
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'application/json', ...headers });
  response.end(`${JSON.stringify(body)}\n`);
}

/** Listens for `POST /rebuild` and `GET /status`. It reads nothing of a request to rebuild except its token. */
export async function startHookServer({ token, trigger, status, port, host }: HookOptions) {
  const limiter = new RateLimiterMemory(LIMIT);

  async function rebuild(request: IncomingMessage): Promise<Answer> {
    if (request.method !== 'POST') {
      return { status: 405, body: { error: 'Use POST' }, headers: { Allow: 'POST' } };
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
    if (!isRight) return { status: 401, body: { error: 'Wrong or missing token' } };
    trigger();
    return { status: 202, body: { queued: true } };
  }

  async function show(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      send(response, { status: 405, body: { error: 'Use GET' }, headers: { Allow: 'GET, HEAD' } });
      return;
    }
    const current = await status();
    if (!(request.headers.accept ?? '').includes('text/html')) {
      send(response, { status: 200, body: current });
      return;
    }
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' });
    response.end(statusPage(current));
  }

  const server = createServer((request, response) => {
    request.resume();
    const path = (request.url ?? '').split('?')[0];
    if (path === '/rebuild') void rebuild(request).then((answer) => send(response, answer));
    else if (path === '/status' || path === '/') {
      show(request, response).catch(() => {
        send(response, { status: 500, body: { error: 'The status cannot be read' } });
      });
    } else send(response, { status: 404, body: { error: 'Not found' } });
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
