import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { countedAddress, countedClient, createIsTrusted, unmapped } from './client-address.ts';

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** How long a connection may carry nothing in either direction, in ms. An answer that nobody reads is closed then. */
const IDLE_LIMIT = 30_000;

/** How long a request may take to arrive, in ms. `readBytes` allows most bodies less; the longest is 32 MB of photos. */
const REQUEST_LIMIT = 150_000;

/** How long the rest of a request may take that was answered before it was there, in ms. */
const REST_LIMIT = 500;

/** How many connections the trusted proxies may hold together, and how many all others. */
const MOST_CONNECTIONS = 1_000;

/** How many connections an address may hold that is no trusted proxy. */
const MOST_OF_ADDRESS = 200;

/** How many of the proxies' connections may carry what one of their callers asked for. Slow readers hold on to an answer. */
const MOST_OF_CALLER = 100;

/** How long an answer may take after its request is there, in ms. It is cut off before twice that time. */
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
  /** Answers a caller who holds too many of the proxies' connections. */
  readonly answerTooMany?: RequestListener;
}

/**
 * Closes a connection that is one too many. Trusted proxies are counted apart from all others, so callers who reach the
 * port directly cannot take the proxies' places.
 */
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
 * Returns a function that tells whether one more of the proxies' connections may carry a request of this caller. It is the
 * caller's until the proxy asks for somebody else by it, or closes it: it may hold an answer that is not read.
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
    // A program on the proxy's machine asks for itself.
    return sockets.size <= connectionsOfCaller || isTrusted(caller);
  };
}

/** A server that slow, silent and many clients cannot hold on to. */
export function createHttpServer(answer: RequestListener, limits: Limits = {}): Server {
  const { idle = IDLE_LIMIT, headers = 10_000, answer: answerLimit = ANSWER_LIMIT } = limits;
  const { answerTooMany = (_request, response) => response.writeHead(429, { Connection: 'close' }).end() } =
    limits;
  const mayPoll = shareProxies(limits);
  const server = createServer(
    // Node looks for late requests every 30 s otherwise.
    { connectionsCheckingInterval: Math.min(1_000, headers) },
    (request, response) => (mayPoll(request) ? answer : answerTooMany)(request, response),
  );
  capConnections(server, limits);
  server.on('request', (request, response) => {
    const late = setInterval(() => request.complete && request.socket.destroy(), answerLimit).unref();
    response.once('close', () => clearInterval(late));
    response.once('finish', () => {
      // A connection that is busy when the server stops must be closed after its answer. Otherwise its client could keep
      // sending requests over it and delay the stop.
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

/** The address at which this computer reaches a server that listens on `host`. */
export function urlOf(host: string | undefined, port: number): string {
  const name = host === undefined || EVERYWHERE.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

/** Returns the port, which the system chooses where it is 0. @throws the system's error where the port is taken */
export function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Answers the requests that have arrived, and cuts off those that take longer than `limit` ms. */
export function drain(server: Server, limit: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), limit);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
