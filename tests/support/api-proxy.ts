import { createServer, request } from 'node:http';
import { API_ORIGIN } from './api-address.ts';
import { listenLocally } from './free-port.ts';

const LOOPBACK = ['localhost', '127.0.0.1'];

export interface ApiProxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * An HTTP proxy for browsers that cannot map one address to another as Chromium can. It sends requests for
 * http://localhost:8044 to `apiUrl`, passes on those for other addresses of this machine, and refuses all others.
 */
export async function startApiProxy(apiUrl: string): Promise<ApiProxy> {
  const server = createServer((incoming, outgoing) => {
    const requested = URL.parse(incoming.url ?? '');
    if (!requested || !LOOPBACK.includes(requested.hostname)) {
      outgoing.writeHead(403).end();
      return;
    }
    const { port } = requested.origin === API_ORIGIN ? new URL(apiUrl) : requested;
    const target = new URL(requested.pathname + requested.search, `http://127.0.0.1:${port}`);
    const { method, headers } = incoming;
    const forwarded = request(
      target,
      { ...(method ? { method } : {}), headers: { ...headers, host: requested.host } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  // Tunnels (https: the browser's own updates and telemetry) are refused, so that nothing leaves the machine.
  server.on('connect', (_request, socket) => socket.destroy());
  return {
    url: await listenLocally(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
