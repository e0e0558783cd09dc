import { rmSync } from 'node:fs';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright';
import { serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { buildOnce, testSite } from '#tests/support/build-site.ts';
import { chromiumArgs, findChromium } from '#tests/support/find-chromium.ts';
import { createShopClient, type ShopClient } from '#tests/support/shop-client.ts';
import { worsen } from './worse/worsen.ts';

/** The built site, the API and one Chromium, as the benches use them. */
export interface BenchShop {
  readonly url: string;
  readonly dist: string;
  readonly apiUrl: string;
  readonly client: ShopClient;
  readonly browser: Browser;
  /** Chromium's remote debugging port. */
  readonly debuggingPort: number;
  readonly productPath: string;
  /** A product that asks for a size. */
  readonly sizedPath: string;
  close(): Promise<void>;
}

const DEBUGGING_PORT = 9_333;

/** @param worse serves a copy of the site that is worse on purpose: every figure of a page must miss its bar */
export async function openShop({ worse = false } = {}): Promise<BenchShop> {
  await buildOnce();
  const directory = worse ? worsen(testSite) : testSite;
  const site = await serveSite({ directory, host: '127.0.0.1' });
  const api = await startTestApi({ siteOrigins: [site.url] });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...chromiumArgs,
      `--remote-debugging-port=${DEBUGGING_PORT}`,
      `--host-resolver-rules=MAP localhost:8044 ${new URL(api.url).host}`,
    ],
  });
  const client = createShopClient(api);
  const product = await client.product(
    ({ price, sizes, colors }) => price > 0 && sizes.length + colors.length === 0,
  );
  const sized = await client.product(({ sizes }) => sizes.length > 1);
  return {
    url: site.url,
    dist: testSite,
    apiUrl: api.url,
    client,
    browser,
    debuggingPort: DEBUGGING_PORT,
    productPath: `/product/${product.id}`,
    sizedPath: `/product/${sized.id}`,
    close: async () => {
      await browser.close();
      await Promise.all([site.close(), api.close()]);
      if (worse) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Until then the bars count what comes after the load: nothing tells when a page is through with it. */
export const AFTER_LOAD_MS = 2_500;

export const PHONE = {
  viewport: { width: 360, height: 800 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

/** Chromium's 'slow 4G': 1.6 Mbit/s down, 0.75 up, with the latency that DevTools adds for a 150 ms round trip. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1_474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};

const CPU_SLOWDOWN = 4;

/** A first visit on a slow phone: no cache, and slow from the first byte. */
export async function openPhone(
  { browser }: BenchShop,
  { slowNetwork = false, slowCpu = false } = {},
): Promise<{ context: BrowserContext; page: Page; cdp: CDPSession }> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (slowNetwork) await cdp.send('Network.emulateNetworkConditions', SLOW_4G);
  if (slowCpu) await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return { context, page, cdp };
}
