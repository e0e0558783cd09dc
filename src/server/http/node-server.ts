import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { isIPv6, type Server as NetServer } from 'node:net';
import { ExplainedError } from '#server/process/explained-error.ts';

/** Timeouts in ms. */
const TIMES = {
  /** How long a connection may be silent in both directions. It also ends an answer that the client does not read. */
  idle: 30_000,
  headers: 10_000,
  /** For a request to arrive. `readBytes` is stricter for most bodies. The largest are 32 MB of photos. */
  request: 150_000,
  /** For the rest of a body after an early response. */
  rest: 500,
  /** How long an answer may take once its request has arrived. It is cut off before twice that time. */
  answer: 120_000,
};

/** A server that slow, silent or many clients cannot occupy. */
export function createHttpServer(listener: RequestListener, times: Partial<typeof TIMES> = {}): Server {
  const { idle, headers, request: arrival, rest, answer } = { ...TIMES, ...times };
  // By default, Node looks for late requests only every 30 s.
  const server = createServer({ connectionsCheckingInterval: Math.min(1_000, headers) }, listener);
  server.on('request', (request, response) => {
    const late = setInterval(() => request.complete && request.socket.destroy(), answer).unref();
    response.once('close', () => clearInterval(late));
    response.once('finish', () => {
      // After a stop, a busy connection must close with its answer. Otherwise its client could keep sending
      // requests and delay the stop.
      if (!server.listening) server.closeIdleConnections();
      if (!request.complete) setTimeout(() => request.complete || request.socket.destroy(), rest).unref();
    });
  });
  return Object.assign(server, {
    headersTimeout: headers,
    requestTimeout: arrival,
    keepAliveTimeout: 5_000,
    timeout: idle,
  });
}

/** Returns the URL, on this machine, of a server that listens on `host`. */
export function urlOf(host: string | undefined, port: number): string {
  const name = host === undefined || ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

/** Returns the port, which the system chooses if it is 0. @throws ExplainedError if the port is taken */
export async function listen(server: NetServer, port: number, host?: string): Promise<number> {
  await once(server.listen(port, host), 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    const advice = 'Is the shop running already? Stop it, or use another port.';
    throw new ExplainedError(`Port ${port} is taken. ${advice}`);
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
