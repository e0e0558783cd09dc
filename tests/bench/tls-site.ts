import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createSite } from '#scripts/serve/handler.ts';
import { listenLocally } from '#tests/support/free-port.ts';

function selfSigned(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return pair;
}

/** Serves a built site over HTTP/2 and TLS, as CDNs do, by Node's `http2` and its own order of responses. */
export async function serveOverTls(directory: string): Promise<{ url: string; close(): void }> {
  const site = await createSite(directory);
  const server = createSecureServer(
    selfSigned(),
    getRequestListener(site.fetch, { overrideGlobalObjects: false }),
  );
  const { port } = new URL(await listenLocally(server));
  return {
    url: `https://localhost:${port}`,
    close: () => void server.close(),
  };
}
