import { test as base } from 'playwright/test';
import { serveSite } from '#scripts/serve/server.ts';
import type { RunningApi } from '#server/app/start.ts';
import { startTestApi } from '#tests/support/api.ts';
import { API_ORIGIN } from '#tests/support/api-address.ts';
import { testSite } from '#tests/support/build-site.ts';
import { createShopClient, type ShopClient } from '#tests/support/shop-client.ts';
import { openFirefox } from './firefox.ts';
import { MISSING, PROGRAMS } from './programs.ts';
import { createShopper, type Shopper } from './shopper.ts';
import { openWebKit } from './webkit.ts';

type WorkerFixtures = {
  /** The API listens where pages on localhost call it, because only Chromium can map that address to another. */
  shop: { readonly siteUrl: string; readonly api: RunningApi };
};

type TestFixtures = {
  client: ShopClient;
  /** A shopper with a new browser, in which nothing of another journey is left. */
  shopper: Shopper;
};

const { firefox = '', webKitDriver = '', miniBrowser = '' } = PROGRAMS;
const OPEN = new Map([
  ['firefox', () => openFirefox(firefox)],
  ['webkit', () => openWebKit(webKitDriver, miniBrowser)],
]);

export const test = base.extend<TestFixtures, WorkerFixtures>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures this one needs.
    async ({}, use) => {
      const site = await serveSite({ directory: testSite, host: '127.0.0.1' });
      const api = await startTestApi({ siteOrigins: [site.url], port: Number(new URL(API_ORIGIN).port) });
      await use({ siteUrl: site.url, api });
      await Promise.all([site.close(), api.close()]);
    },
    { scope: 'worker' },
  ],

  client: async ({ shop }, use) => use(createShopClient(shop.api)),

  shopper: async ({ shop }, use, { project: { name } }) => {
    const missing = MISSING.get(name);
    base.skip(missing !== undefined, missing);
    const browser = await OPEN.get(name)?.();
    if (!browser) throw new Error(`There is no engine '${name}'.`);
    await use(createShopper(browser, shop.siteUrl));
    await browser.close();
  },
});
