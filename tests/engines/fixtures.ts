import { test as base, expect } from 'playwright/test';
import { serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { testSite } from '#tests/support/build-site.ts';
import { createShopClient, type ShopClient } from '#tests/support/shop-client.ts';
import { findEngines } from './programs.ts';
import { openProxy } from './proxy.ts';
import { createShopper, type Engine, type Shopper } from './shopper.ts';

/**
 * Where browsers find the site, through the proxy: each test at another address, of which the browser has stored
 * nothing.
 */
const ADDRESSES = Array.from({ length: 200 }, (_, test) => `http://localhost:${20_000 + test}`);

type Services = {
  /** Those that no test has used. */
  readonly addresses: Iterator<string>;
  readonly client: ShopClient;
  readonly proxy: Awaited<ReturnType<typeof openProxy>>;
};

type WorkerFixtures = {
  services: Services;
  engine: Engine;
};

type TestFixtures = {
  /** Whether the browser asks for dark pages. */
  isDark: boolean;
  client: ShopClient;
  /** What the browser's requests go through. While it is closed, the shop is offline. */
  network: Services['proxy'];
  /** A shopper with a new browser. The test fails if a page has an uncaught error or is loaded again by itself. */
  shopper: Shopper;
};

export const test = base.extend<TestFixtures, WorkerFixtures>({
  isDark: [false, { option: true }],

  services: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures this one needs.
    async ({}, use) => {
      const site = await serveSite({ directory: testSite, host: '127.0.0.1' });
      // Without a network interface, it fails at once, while a browser would wait.
      await fetch(site.url);
      const api = await startTestApi({ siteOrigins: ADDRESSES });
      const proxy = await openProxy(site.url, api.url);
      await use({ addresses: ADDRESSES.values(), client: createShopClient(api), proxy });
      await Promise.all([proxy.close(), site.close(), api.close()]);
    },
    { scope: 'worker' },
  ],

  engine: [
    async ({ services }, use, { project: { name } }) => {
      const engine = await findEngines()[name]?.(services.proxy.port);
      if (!engine) throw new Error(`There is no engine '${name}'.`);
      await use(engine);
      await engine.close();
    },
    { scope: 'worker' },
  ],

  client: async ({ services }, use) => use(services.client),
  network: async ({ services }, use) => use(services.proxy),

  shopper: async ({ engine, isDark, services: { proxy, addresses } }, use) => {
    const browser = await engine.newBrowser({ isDark });
    await use(createShopper(browser, addresses.next().value));
    await browser.close();
    expect(proxy.reports.splice(0), 'faults of pages').toEqual([]);
  },
});
