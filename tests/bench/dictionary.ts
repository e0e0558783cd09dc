import type { Page } from 'playwright';
import { POLICY_SLUGS } from '#domain/policy.ts';
import { paths } from '#paths.ts';
import { serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { launchBrowser, PHONE } from './shop.ts';
import { median, type Row } from './table.ts';

const ISLAND_PAGES = ['/cart', '/login', '/register', '/checkout', '/orders', '/payment', '/account'];

/** Waits until the browser has the dictionary. Returns its bytes as sent. */
async function untilHeld(page: Page): Promise<number> {
  const entry = await page.waitForFunction(() => {
    const entries = performance.getEntriesByType('resource');
    const found = entries.find(({ name }) => name.includes('/_astro/dictionary.'));
    return found instanceof PerformanceResourceTiming ? found.encodedBodySize : undefined;
  });
  return (await entry.jsonValue()) ?? Number.NaN;
}

/** The bytes of a page's body. Scripts must be off, because they could navigate away before it is measured. */
async function bodyBytes(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' });
  const { bytes, encoding } = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    const { encodedBodySize, contentEncoding } = entry as PerformanceNavigationTiming & {
      contentEncoding: string;
    };
    return { bytes: encodedBodySize, encoding: contentEncoding };
  });
  if (encoding !== 'dcz') throw new Error(`${address} came as '${encoding}'`);
  return bytes;
}

/** Measures the weight of further pages of a visit, in a browser that holds the dictionary. */
export async function measureDictionary(directory: string): Promise<Row[]> {
  const site = await serveSite({ directory, host: '127.0.0.1' });
  const api = await startTestApi({ siteOrigins: [site.url] });
  const browser = await launchBrowser(api.url);
  try {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await page.goto(site.url);
    const dictionary = await untilHeld(page);
    const plain = await context.newPage();
    const cdp = await context.newCDPSession(plain);
    await cdp.send('Emulation.setScriptExecutionDisabled', { value: true });
    const weigh = async (addresses: readonly string[]): Promise<number[]> => {
      const bytes: number[] = [];
      for (const address of addresses) bytes.push(await bodyBytes(plain, site.url + address));
      return bytes;
    };
    const products = (await createShopClient(api).products()).map(({ id }) => `/product/${id}`);
    const productBytes = await weigh(products);
    const row = (what: string, value: number): Row => ({
      what: `with a dictionary: ${what}`,
      unit: 'bytes',
      value,
    });
    return [
      row('the dictionary itself', dictionary),
      row('product page, median', median(productBytes)),
      row('product page, worst', Math.max(...productBytes)),
      row('home and listing, worst', Math.max(...(await weigh(['/', '/products'])))),
      row('policies, worst', Math.max(...(await weigh(POLICY_SLUGS.map(paths.policy))))),
      row('island pages, worst', Math.max(...(await weigh(ISLAND_PAGES)))),
    ];
  } finally {
    await browser.close();
    await Promise.all([api.close(), site.close()]);
  }
}
