import { createServer, request } from 'node:http';
import { test as base } from 'playwright/test';
import { serveSite } from '#scripts/serve/server.ts';
import type { RunningApi } from '#server/app/start.ts';
import { startTestApi } from '#tests/support/api.ts';
import { API_ORIGIN } from '#tests/support/api-address.ts';
import { testSite } from '#tests/support/build-site.ts';
import { listenLocally } from '#tests/support/free-port.ts';
import { createShopClient, type ShopClient } from '#tests/support/shop-client.ts';
import { openFirefox } from './firefox.ts';
import { MISSING, PROGRAMS } from './programs.ts';
import { createShopper, type Shopper } from './shopper.ts';
import { openWebKit } from './webkit.ts';

const LOOPBACK = ['localhost', '127.0.0.1'];

interface ApiProxy {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * An HTTP proxy for browsers that cannot map one address to another as Chromium can. It sends requests for
 * http://localhost:8044 to `apiUrl`, passes on those for other addresses of this machine, and refuses all others.
 */
async function startApiProxy(apiUrl: string): Promise<ApiProxy> {
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

type WorkerFixtures = {
  shop: { readonly siteUrl: string; readonly proxyUrl: string; readonly api: RunningApi };
};

type TestFixtures = {
  client: ShopClient;
  /** A shopper with a new browser, in which nothing of another journey is left. */
  shopper: Shopper;
};

const { firefox = '', webKitDriver = '', miniBrowser = '' } = PROGRAMS;
const OPEN = new Map([
  ['firefox', (proxy: string) => openFirefox(firefox, proxy)],
  ['webkit', (proxy: string) => openWebKit(webKitDriver, miniBrowser, proxy)],
]);

export const test = base.extend<TestFixtures, WorkerFixtures>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures this one needs.
    async ({}, use) => {
      const site = await serveSite({ directory: testSite, host: '127.0.0.1' });
      const api = await startTestApi({ siteOrigins: [site.url] });
      const proxy = await startApiProxy(api.url);
      await use({ siteUrl: site.url, proxyUrl: proxy.url, api });
      await Promise.all([proxy.close(), site.close(), api.close()]);
    },
    { scope: 'worker' },
  ],

  client: async ({ shop }, use) => use(createShopClient(shop.api)),

  shopper: async ({ shop }, use, { project: { name } }) => {
    const missing = MISSING.get(name);
    base.skip(missing !== undefined, missing);
    const browser = await OPEN.get(name)?.(shop.proxyUrl);
    if (!browser) throw new Error(`There is no engine '${name}'.`);
    await use(createShopper(browser, shop.siteUrl));
    await browser.close();
  },
});
