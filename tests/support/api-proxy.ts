import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_ORIGIN } from './api-address.ts';

const LOOPBACK = ['localhost', '127.0.0.1'];

export interface ApiProxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * An HTTP proxy for browsers that cannot map one address to another as Chromium can: what pages ask of
 * http://localhost:8044 goes to `apiUrl`, other addresses of this machine go through, everything else is refused.
 */
export async function startApiProxy(apiUrl: string): Promise<ApiProxy> {
  const server = createServer((incoming, outgoing) => {
    const asked = URL.parse(incoming.url ?? '');
    if (!asked || !LOOPBACK.includes(asked.hostname)) {
      outgoing.writeHead(403).end();
      return;
    }
    const { port } = asked.origin === API_ORIGIN ? new URL(apiUrl) : asked;
    const target = new URL(asked.pathname + asked.search, `http://127.0.0.1:${port}`);
    const { method, headers } = incoming;
    const passed = request(
      target,
      { ...(method ? { method } : {}), headers: { ...headers, host: asked.host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  // What is not HTTP (updates, telemetry of the browser itself) never leaves the machine.
  server.on('connect', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
