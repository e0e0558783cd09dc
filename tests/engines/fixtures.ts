import { test as base } from 'playwright/test';
import { serveSite } from '#scripts/serve/server.ts';
import type { RunningApi } from '#server/app/start.ts';
import { startTestApi } from '#tests/support/api.ts';
import { startApiProxy } from '#tests/support/api-proxy.ts';
import { testSite } from '#tests/support/build-site.ts';
import { createShopClient, type ShopClient } from '#tests/support/shop-client.ts';
import { openFirefox } from './firefox.ts';
import { MISSING, PROGRAMS } from './programs.ts';
import { createShopper, type Shopper } from './shopper.ts';
import { openWebKit } from './webkit.ts';

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
