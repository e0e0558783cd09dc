import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { askRaw } from './support/ask-raw.ts';
import { caddyfileFor, nginxFileFor } from './support/hosting-files.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import { isInstalled, runCaddy, runNginx, type WebServer } from './support/web-servers.ts';

interface Logging {
  readonly server: WebServer;
  readonly log: () => string;
}

async function startNginx(folder: string): Promise<Logging> {
  const server = await runNginx(folder, ({ port }) =>
    nginxFileFor({ release: join(folder, 'current'), port, log: folder }),
  );
  const files = ['shop.log', 'shop-error.log'];
  return {
    server,
    log: () => server.log() + files.map((file) => readFileSync(join(folder, file), 'utf8')).join(''),
  };
}

/** Each site writes a log here, which the file leaves to its owner. */
async function startCaddy(folder: string): Promise<Logging> {
  const server = await runCaddy(folder, (port) =>
    caddyfileFor('one-machine', {
      release: join(folder, 'current'),
      site: `http://localhost:${port}`,
      api: `http://127.0.0.1:${port}`,
      upstreams: '127.0.0.1:9',
    })
      .replaceAll(/^http:.*\{$/gm, '$&\n\tlog')
      .replace('lb_try_duration 10s', ''),
  );
  return { server, log: server.log };
}

const ORDER = '7f3e21ab-0c5d-4e7f-8a9b-1c2d3e4f5a6b';
const SECRET = 'hrP2mbw0cQ1tQkz9dUeX3vYsJ7nLfAo5gHi8TqRwEyU';

describe.each([
  ['nginx', startNginx, isInstalled('nginx', '-v')],
  ['Caddy', startCaddy, isInstalled('caddy', 'version')],
] as const)('%s as in its example', (_name, start, installed) => {
  test.skipIf(!installed)('[fault 72] no contact, no order number and no secret is in a log', async () => {
    const folder = temporaryFolder();
    await publishTiny(folder, tinyShop(1));
    const { server, log } = await start(folder);
    onTestFinished(server.stop);
    const api = server.url.replace('localhost', '127.0.0.1');
    const secrets = `id=${ORDER}&orderId=${ORDER}&contactInfo=asha%40example.com&token=${SECRET}`;
    const Referer = `${server.url}/track-order?${secrets}`;
    for (const path of ['/track-order', '/payment', '/payment/', '/_astro/gone.js', '/nothing', '/%00']) {
      // A browser sends the address of the page along with what the page asks for.
      await askRaw(`${server.url}${path}?${secrets}`, { Referer });
    }
    for (const path of [
      `/api/v1/orders/${ORDER}`,
      `/office/orders/money/${ORDER}`,
      `/office/link/${SECRET}`,
    ]) {
      await askRaw(`${api}${path}?${secrets}`, {
        Referer,
        Authorization: `Bearer ${SECRET}`,
        Cookie: `a=${SECRET}`,
      });
    }
    await askRaw(`${server.url}/last`, {});
    await expect.poll(log).toContain('/last');
    expect(log()).toContain('/track-order');
    expect(log()).toContain('/api/v1');
    for (const secret of ['asha', ORDER.slice(0, 8), SECRET.slice(0, 8)]) expect(log()).not.toContain(secret);
  });
});
