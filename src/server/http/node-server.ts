import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { isIPv6, type Server as NetServer, type Socket } from 'node:net';
import { ExplainedError } from '#server/process/explained-error.ts';
import { countedAddress, countedClient, createIsTrusted, unmapped } from './client-address.ts';

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** How long a connection may be silent in both directions, in ms. An answer that nobody reads ends this way. */
const IDLE_LIMIT = 30_000;

/** In ms, for a request to arrive. `readBytes` is stricter for most bodies; the longest is 32 MB of photos. */
const REQUEST_LIMIT = 150_000;

/** How long the rest of a request may take that was answered early, in ms. */
const REST_LIMIT = 500;

/** The most connections of all trusted proxies together, and of all other addresses together. */
const MOST_CONNECTIONS = 1_000;

/** The most connections of one address that is no trusted proxy. */
const MOST_OF_ADDRESS = 200;

/** The most proxy connections with requests of one caller. Slow readers occupy them. */
const MOST_OF_CALLER = 100;

/** How long an answer may take once its request has arrived, in ms. It is cut off before twice that time. */
const ANSWER_LIMIT = 120_000;

const TRUSTED = 'trusted proxies';
const OTHERS = 'other addresses';

interface Limits {
  readonly idle?: number;
  readonly headers?: number;
  readonly answer?: number;
  readonly connections?: number;
  readonly connectionsOfAddress?: number;
  readonly connectionsOfCaller?: number;
  readonly trustedProxies?: readonly string[];
  /** Answers a caller who occupies too many of the proxies' connections. */
  readonly answerTooMany?: RequestListener;
}

/** Closes connections over the cap. Trusted proxies are counted apart, so that no caller takes their places. */
function capConnections(
  server: Server,
  { connections = MOST_CONNECTIONS, connectionsOfAddress = MOST_OF_ADDRESS, trustedProxies = [] }: Limits,
): void {
  const isTrusted = createIsTrusted(trustedProxies);
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = unmapped(socket.remoteAddress ?? '');
    const caps: readonly (readonly [key: string, cap: number])[] = isTrusted(address)
      ? [[TRUSTED, connections]]
      : [
          [OTHERS, connections],
          [countedAddress(address), connectionsOfAddress],
        ];
    if (caps.some(([key, cap]) => (open.get(key) ?? 0) >= cap)) {
      socket.destroy();
      return;
    }
    for (const [key] of caps) open.set(key, (open.get(key) ?? 0) + 1);
    socket.once('close', () => {
      for (const [key] of caps) {
        const left = (open.get(key) ?? 0) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      }
    });
  });
}

/**
 * Returns a function that says whether one more proxy connection may carry a request of this caller. The connection
 * counts for the caller until the proxy reuses or closes it, because it may hold an unread answer.
 */
function shareProxies({ connectionsOfCaller = MOST_OF_CALLER, trustedProxies = [] }: Limits) {
  const isTrusted = createIsTrusted(trustedProxies);
  const held = new Map<string, Set<Socket>>();
  const callers = new WeakMap<Socket, string>();
  const release = (socket: Socket): void => {
    const caller = callers.get(socket);
    const sockets = caller === undefined ? undefined : held.get(caller);
    if (caller === undefined || !sockets) return;
    sockets.delete(socket);
    if (sockets.size === 0) held.delete(caller);
  };
  return ({ socket, headers }: IncomingMessage): boolean => {
    const peer = socket.remoteAddress ?? '';
    if (!isTrusted(unmapped(peer))) return true;
    const caller = countedClient(isTrusted, peer, String(headers['x-forwarded-for'] ?? ''));
    if (!callers.has(socket)) socket.once('close', () => release(socket));
    release(socket);
    callers.set(socket, caller);
    const sockets = held.get(caller) ?? new Set();
    held.set(caller, sockets.add(socket));
    // A program on the proxy's own machine is no visitor.
    return sockets.size <= connectionsOfCaller || isTrusted(caller);
  };
}

/** A server that slow, silent or many clients cannot occupy. */
export function createHttpServer(answer: RequestListener, limits: Limits = {}): Server {
  const { idle = IDLE_LIMIT, headers = 10_000, answer: answerLimit = ANSWER_LIMIT } = limits;
  const { answerTooMany = (_request, response) => response.writeHead(429, { Connection: 'close' }).end() } =
    limits;
  const hasShare = shareProxies(limits);
  const server = createServer(
    // By default, Node looks for late requests only every 30 s.
    { connectionsCheckingInterval: Math.min(1_000, headers) },
    (request, response) => (hasShare(request) ? answer : answerTooMany)(request, response),
  );
  capConnections(server, limits);
  server.on('request', (request, response) => {
    const late = setInterval(() => request.complete && request.socket.destroy(), answerLimit).unref();
    response.once('close', () => clearInterval(late));
    response.once('finish', () => {
      // After a stop, a busy connection must close with its answer. Otherwise its client could keep sending
      // requests and delay the stop.
      if (!server.listening) server.closeIdleConnections();
      if (!request.complete)
        setTimeout(() => request.complete || request.socket.destroy(), REST_LIMIT).unref();
    });
  });
  return Object.assign(server, {
    headersTimeout: headers,
    requestTimeout: REQUEST_LIMIT,
    keepAliveTimeout: 5_000,
    timeout: idle,
  });
}

/** Returns the URL, on this machine, of a server that listens on `host`. */
export function urlOf(host: string | undefined, port: number): string {
  const name = host === undefined || EVERYWHERE.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Returns the port, which the system chooses if it is 0. @throws ExplainedError if the port is taken */
export async function listen(server: NetServer, port: number, host?: string): Promise<number> {
  await once(server.listen(port, host), 'listening').catch((error: unknown) => {
    throw isTaken(error)
      ? new ExplainedError(
          `Port ${port} is taken. Is the shop running already? Stop it, or use another port.`,
        )
      : error;
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** Answers the requests that have arrived, and cuts off those that take longer than `limit` ms. */
export async function drain(server: Server, limit: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), limit);
  await server[Symbol.asyncDispose]();
  clearTimeout(cut);
}
