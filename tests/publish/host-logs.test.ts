import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { askRaw } from './support/ask-raw.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import { isInstalled, runCaddy, runNginx, type WebServer } from './support/web-servers.ts';

const EXAMPLES = 'scripts/publish/hosts/examples';
const RELEASE = '/srv/shop/releases/current';

/** Replaces each text of the example. @throws Error where the example has no such text */
function adapted(file: string, changes: readonly (readonly [from: RegExp, to: string])[]): string {
  let text = readFileSync(join(EXAMPLES, file), 'utf8');
  for (const [from, to] of changes) {
    if (!from.test(text)) throw new Error(`${file} has no ${from.source}.`);
    text = text.replace(from, to);
  }
  return text;
}

interface Logging {
  readonly server: WebServer;
  readonly log: () => string;
}

async function startNginx(folder: string): Promise<Logging> {
  const file = join(folder, 'access.log');
  const server = await runNginx(folder, ({ port }) =>
    adapted('nginx.conf', [
      [/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`],
      [/listen 80;/, `listen 127.0.0.1:${port};`],
      [/.*ssl_certificate.*\n.*\n/, ''],
      [/server_name shop\.example;(?!\n {2}return)/, 'server_name localhost;'],
      [/\/var\/log\/nginx\/shop\.log/g, file],
      [new RegExp(RELEASE, 'g'), join(folder, 'current')],
    ]),
  );
  return { server, log: () => server.log() + readFileSync(file, 'utf8') };
}

async function startCaddy(folder: string): Promise<Logging> {
  const server = await runCaddy(folder, (port) =>
    adapted('Caddyfile', [
      [/^shop\.example \{$/m, `http://localhost:${port} {\n\tlog`],
      [new RegExp(RELEASE), join(folder, 'current')],
    ]),
  );
  return { server, log: server.log };
}

describe.each([
  ['nginx', startNginx, isInstalled('nginx', '-v')],
  ['Caddy', startCaddy, isInstalled('caddy', 'version')],
] as const)('%s as in its example', (_name, start, installed) => {
  test.skipIf(!installed)('[fault 72] no contact and no order number stands in a log', async () => {
    const folder = temporaryFolder();
    await publishTiny(folder, tinyShop(1));
    const { server, log } = await start(folder);
    onTestFinished(server.stop);
    const secrets = 'id=7f3e21ab&orderId=7f3e21ab&contactInfo=asha%40example.com';
    for (const path of ['/track-order', '/payment', '/payment/', '/_astro/gone.js', '/nothing', '/%00']) {
      // A browser sends the address of the page along with what the page asks for.
      await askRaw(`${server.url}${path}?${secrets}`, { Referer: `${server.url}/track-order?${secrets}` });
    }
    await askRaw(`${server.url}/last`, {});
    await expect.poll(log).toContain('/last');
    expect(log()).toContain('/track-order');
    expect(log()).not.toMatch(/asha|7f3e21ab/);
  });
});
