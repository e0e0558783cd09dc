import { createServer, type RequestListener, type Server } from 'node:http';
import { isIPv6 } from 'node:net';

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** How long a connection may carry nothing in either direction, in ms. An answer that nobody reads is closed then. */
const IDLE_LIMIT = 30_000;

const MOST_CONNECTIONS = 1_000;

/** A server that slow, silent and many clients cannot hold on to (faults 93, 130). */
export function createHttpServer(
  answer: RequestListener,
  { idle = IDLE_LIMIT, connections = MOST_CONNECTIONS } = {},
): Server {
  const server = createServer(answer);
  // A connection that is busy when the server stops must be closed after its answer. Otherwise its client could keep sending
  // requests over it and delay the stop.
  server.on('request', (_request, response) => {
    response.once('finish', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  return Object.assign(server, {
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    keepAliveTimeout: 5_000,
    timeout: idle,
    maxConnections: connections,
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

/** Answers the requests that have arrived, and cuts off those that take longer than `limit` ms (faults 93). */
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

/** Answers while the database is not there yet: /healthz is a 200, and all else is to be asked again (faults 96). */
export const answerWhileStarting: RequestListener = ({ url }, response) => {
  const isAlive = url === '/healthz';
  response.writeHead(isAlive ? 200 : 503, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...(isAlive ? {} : { 'Retry-After': '1' }),
  });
  response.end(JSON.stringify(isAlive ? { status: 'ok' } : { error: 'The service is starting.' }));
};
