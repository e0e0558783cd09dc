import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Lets a server listen on a free port of 127.0.0.1. @returns its origin */
export async function listenLocally(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

let lastPort = randomInt(10_100, 32_000);

/**
 * A port of 127.0.0.1 that nobody listens on at the moment. It is below those that systems give to connections and to
 * other listeners, so that it is still free later.
 */
export async function freePort(): Promise<number> {
  lastPort += 1;
  const port = lastPort;
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  await once(server.close(), 'close');
  return port;
}
