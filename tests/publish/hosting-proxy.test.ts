import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { type Cluster, findPostgres, startCluster } from '#tests/support/postgres-cluster.ts';
import { isPlain } from '#tests/support/samples.ts';
import { ADDRESS, createShopClient } from '#tests/support/shop-client.ts';
import { spawnApi } from '#tests/support/spawn-api.ts';
import { apiEnvironment, caddyfileFor, type Machines, nginxFileFor } from './support/hosting-files.ts';
import { type AtEnd, endOfGroup, temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import {
  configurationOf,
  fetchRaw,
  isInstalled,
  runCaddy,
  runNginx,
  type WebServer,
} from './support/web-servers.ts';

const hasCaddy = isInstalled('caddy', 'version');
const hasPostgres = findPostgres() !== undefined;
if (!hasPostgres) console.warn('There is no PostgreSQL: two API processes behind Caddy are not tried here.');

interface ApiProcess {
  readonly port: number;
  readonly log: () => string;
  /** SIGTERM. Resolves with the exit code. */
  readonly stop: () => Promise<unknown>;
}

/** Starts the API as the unit does, with the settings of the environment file except for the addresses. */
async function startApi(
  machines: Machines,
  database: string,
  more: NodeJS.Dict<string> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<ApiProcess> {
  const { child, exited, output, url } = spawnApi({
    ...apiEnvironment(machines),
    HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
    DATABASE: database,
    PORT: '0',
    CATALOGUE: 'scripts/demo',
    LIMIT_FACTOR: '1000000',
    ...more,
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return (await exited)[0];
  };
  atEnd(async () => void (await stop()));
  if ((await url) === '') throw new Error(`The API ended:\n${output()}`);
  return { port: Number(new URL(await url).port), log: output, stop };
}

interface Proxy {
  readonly site: string;
  readonly api: string;
  readonly log: () => string;
}

/** The site and the API have one port and different names. */
const proxyAt = ({ url, log }: WebServer): Proxy => ({
  site: url,
  api: url.replace('localhost', '127.0.0.1'),
  log,
});

async function releaseFor(atEnd: AtEnd): Promise<string> {
  const folder = temporaryFolder(atEnd);
  await publishTiny(folder, tinyShop(1));
  return folder;
}

/** Starts Caddy with the Caddyfile. Both sites write a log, which the file leaves to its owner. */
async function startCaddyProxy(
  machines: Machines,
  apis: readonly Pick<ApiProcess, 'port'>[],
  atEnd: AtEnd = onTestFinished,
): Promise<Proxy> {
  const folder = await releaseFor(atEnd);
  const release = await configurationOf(folder);
  const server = await runCaddy(folder, (port) =>
    caddyfileFor(machines, {
      release,
      site: `http://localhost:${port}`,
      api: `http://127.0.0.1:${port}`,
      upstreams: apis.map(({ port: own }) => `127.0.0.1:${own}`).join(' '),
    })
      .replaceAll(/^http:.*\{$/gm, '$&\n\tlog')
      // A busy machine starts the API later.
      .replace(/(?<=lb_try_duration )\d+s/, '60s'),
  );
  atEnd(server.stop);
  return proxyAt(server);
}

/** Starts nginx with its file. */
async function startNginxProxy(
  _machines: Machines,
  [running]: readonly Pick<ApiProcess, 'port'>[],
  atEnd: AtEnd,
): Promise<Proxy> {
  const folder = await releaseFor(atEnd);
  const release = await configurationOf(folder);
  const upstream = `127.0.0.1:${running?.port}`;
  const server = await runNginx(folder, ({ port }) => nginxFileFor({ release, log: folder, port, upstream }));
  atEnd(server.stop);
  const logs = ['shop.log', 'shop-error.log'];
  const written = (): string => logs.map((file) => readFileSync(join(folder, file), 'utf8')).join('');
  return { ...proxyAt(server), log: () => server.log() + written() };
}

/** Shoppers who read a list and place an order in turns until `end` is called. A failed order is sent again with its key. */
async function startShopping(url: string) {
  const client = createShopClient({ url });
  const { token, ...shopper } = await client.newSignedIn();
  const product = await client.product(isPlain);
  const body = { products: { [product.id]: 1 }, shippingAddress: ADDRESS };
  const failed: { lists: string[]; orders: string[] } = { lists: [], orders: [] };
  const placed: string[] = [];
  let isOpen = true;
  /** Returns undefined after a failure. */
  async function answerOf(kind: keyof typeof failed, request: Promise<Response>): Promise<unknown> {
    const answer = await request;
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    failed[kind].push(`${answer.status} ${text}`);
    return undefined;
  }
  async function shop(): Promise<void> {
    let key = randomUUID();
    while (isOpen) {
      await answerOf('lists', client.send('products?limit=5'));
      const sent = client.send('orders', { body, token, headers: { 'Idempotency-Key': key } });
      const answer = await answerOf('orders', sent);
      if (!answer) continue;
      placed.push(v.parse(v.object({ id: v.string() }), answer).id);
      key = randomUUID();
    }
  }
  const shoppers = Array.from({ length: 6 }, shop);
  return {
    count: () => placed.length,
    async end() {
      isOpen = false;
      await Promise.all(shoppers);
      const stored = (await client.orders({ ...shopper, token })).map(({ id }) => id);
      return { failed, placed: placed.sort(), stored: stored.sort() };
    },
  };
}

const ORDER = '7f3e21ab-0c5d-4e7f-8a9b-1c2d3e4f5a6b';
const SECRET = 'hrP2mbw0cQ1tQkz9dUeX3vYsJ7nLfAo5gHi8TqRwEyU';

const HEAD = 'POST /api/v1/users/authorize HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';

describe.each([
  ['Caddy', startCaddyProxy, hasCaddy],
  ['nginx', startNginxProxy, isInstalled('nginx', '-v')],
] as const)('%s before one machine', (_name, startProxy, installed) => {
  describe.skipIf(!installed)('with its file', () => {
    let running: ApiProcess;
    let proxy: Proxy;
    const atEnd = endOfGroup();
    beforeAll(async () => {
      const database = join(temporaryFolder(atEnd), 'shop.sqlite');
      running = await startApi('one-machine', database, {}, atEnd);
      proxy = await startProxy('one-machine', [running], atEnd);
    });

    test('the site is served beside the API, and paths for this machine alone are not found', async () => {
      const { site, api } = proxy;
      expect(await (await fetch(`${site}/product/p0`)).text()).toContain('Mango 0');
      const answer = await fetch(`${api}/api/v1/storeInfo`);
      expect([answer.status, answer.headers.get('strict-transport-security')]).toEqual([
        200,
        'max-age=15768000',
      ]);
      for (const path of ['/healthz', '/readyz', '/metrics'])
        expect([path, (await fetch(api + path)).status]).toEqual([path, 404]);
    });

    test('a request has a new id, and the visitor the address that the proxy saw, whatever the visitor claims', async () => {
      const answers: Response[] = [];
      for (let forged = 1; forged <= 6; forged += 1)
        answers.push(
          await fetch(`${proxy.api}/api/v1/orders/${ORDER}?contactInfo=wrong`, {
            headers: { 'X-Request-Id': 'forged', 'X-Forwarded-For': `198.51.${forged}.1` },
          }),
        );
      const id = answers[0]?.headers.get('x-request-id');
      expect(id).not.toContain('forged');
      await expect.poll(running.log).toContain(`"requestId":"${id}"`);
      expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(404), 429]);
    });

    test('no contact, no order number and no secret is in a log', async () => {
      const { site, api, log } = proxy;
      const secrets = `id=${ORDER}&orderId=${ORDER}&contactInfo=asha%40example.com&token=${SECRET}`;
      // Browsers send the address of the page with its requests.
      const Referer = `${site}/track-order?${secrets}`;
      for (const path of ['/track-order', '/payment', '/payment/', '/_astro/gone.js', '/nothing', '/%00'])
        await fetchRaw(`${site}${path}?${secrets}`, { Referer });
      const personal = { Referer, Authorization: `Bearer ${SECRET}`, Cookie: `a=${SECRET}` };
      for (const path of [
        `/api/v1/orders/${ORDER}`,
        `/admin/orders/payments/${ORDER}`,
        `/admin/link/${SECRET}`,
        `/admin/link#${SECRET}`,
        `/order/${ORDER}`,
        // As it is sent to a proxy.
        `${api}/api/v1/orders/${ORDER}`,
      ])
        await fetchRaw(api, personal, `${path}?${secrets}`);
      await fetchRaw(`${api}/last`, {});
      await expect.poll(log).toContain('/last');
      expect(log()).toContain('/track-order');
      expect(log()).toContain('/api/v1');
      for (const secret of ['asha', ORDER.slice(0, 8), SECRET.slice(0, 8)])
        expect(log()).not.toContain(secret);
    });

    test.each([
      ['end their body', `${HEAD}Content-Length: 60\r\n\r\n{`],
      ['end their body in pieces', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
      ['end their headers', HEAD],
    ])(
      'visitors are answered beside 1,005 connections of another address that never %s',
      async (_what, sent) => {
        const sockets = Array.from({ length: 1_005 }, () => {
          const port = Number(new URL(proxy.api).port);
          const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
          socket.on('error', () => undefined).write(sent);
          return socket;
        });
        onTestFinished(() => {
          for (const socket of sockets) socket.destroy();
        });
        await Promise.all(sockets.map((socket) => once(socket, 'connect')));
        const more = setInterval(() => {
          for (const socket of sockets) if (socket.writable) socket.write(sent.endsWith('{') ? ' ' : '');
        }, 1_000);
        onTestFinished(() => clearInterval(more));
        const ask = async () => (await fetch(`${proxy.api}/api/v1/storeInfo`)).status;
        expect(await ask()).toBe(200);
        // The answer did not wait for the connections to time out.
        expect(sockets.some(({ closed }) => !closed)).toBe(true);
        for (let more = 0; more < 4; more += 1) expect(await ask()).toBe(200);
      },
    );
  });
});

describe.skipIf(!hasCaddy)('one machine', () => {
  test('requests wait while the API stops and starts again, and an order that was cut off can be sent again', async () => {
    const database = join(temporaryFolder(), 'shop.sqlite');
    const own = { PORT: String(await freePort()) };
    const first = await startApi('one-machine', database, own);
    const { api } = await startCaddyProxy('one-machine', [first]);
    const shopping = await startShopping(api);
    await expect.poll(shopping.count).toBeGreaterThan(20);
    expect(await first.stop()).toBe(0);
    await startApi('one-machine', database, own);
    const before = shopping.count();
    await expect.poll(shopping.count).toBeGreaterThan(before + 20);
    const { failed, placed, stored } = await shopping.end();
    // It listens a moment before it is ready. The shop retries on its own then.
    expect(failed.lists.filter((failure) => !failure.includes('The service is starting'))).toEqual([]);
    expect(stored).toEqual(placed);
  });
});

describe.skipIf(!hasCaddy || !hasPostgres)('several machines', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());

  test('no request fails while one of two processes stops, and the other takes all', async () => {
    const database = cluster.address('postgres');
    const [first, second] = await Promise.all([
      startApi('three-machines', database),
      startApi('three-machines', database),
    ]);
    const { api } = await startCaddyProxy('three-machines', [first, second]);
    const shopping = await startShopping(api);
    const answered = (process: ApiProcess): number => process.log().split('"route":"/api/v1/orders"').length;
    await expect.poll(() => Math.min(answered(first), answered(second))).toBeGreaterThan(20);
    expect(await first.stop()).toBe(0);
    const before = shopping.count();
    await expect.poll(shopping.count).toBeGreaterThan(before + 20);
    const { failed, placed, stored } = await shopping.end();
    expect(failed).toEqual({ lists: [], orders: [] });
    expect(stored).toEqual(placed);
  });
});
