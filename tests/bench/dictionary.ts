import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { POLICY_SLUGS } from '#domain/policy.ts';
import { paths } from '#paths.ts';
import { serveSite } from '#scripts/serve/server.ts';
import { answerStub } from '#tests/publish/support/stub-catalogue.ts';
import { HERE, npm } from './commits.ts';
import { openPhone } from './phone.ts';
import { secondCatalogue } from './second-catalogue.ts';
import type { BenchShop } from './shop.ts';
import type { Row } from './table.ts';
import { median } from './turns.ts';

const POLICIES = POLICY_SLUGS.map(paths.policy);
const ISLAND_PAGES = [
  '/cart',
  '/login',
  '/register',
  '/checkout',
  '/orders',
  '/payment',
  '/account',
  '/track-order',
];

const worst = (values: readonly number[]): number => Math.max(...values);

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

/** Opens the home page, waits for the dictionary, and then weighs the other pages. */
async function weigh({ browser }: BenchShop, site: string, groups: readonly (readonly string[])[]) {
  const { context, page } = await openPhone(browser);
  await page.goto(site);
  const dictionary = await untilHeld(page);
  const plain = await context.newPage();
  const cdp = await context.newCDPSession(plain);
  await cdp.send('Emulation.setScriptExecutionDisabled', { value: true });
  const bytes: number[][] = [];
  for (const paths of groups) {
    const ofGroup: number[] = [];
    for (const path of paths) ofGroup.push(await bodyBytes(plain, site + path));
    bytes.push(ofGroup);
  }
  await context.close();
  return { dictionary, bytes };
}

/** The paths of a site's product pages, from its catalogue report. */
async function productPaths(site: string): Promise<string[]> {
  const report: unknown = await (await fetch(`${site}/catalogue.json`)).json();
  const isReport = typeof report === 'object' && report !== null && 'products' in report;
  return isReport ? Object.keys(report.products ?? {}).map((id) => `/product/${id}`) : [];
}

/** Builds a shop of other products and pictures and weighs its pages. */
async function weighSecond(shop: BenchShop): Promise<number[]> {
  const work = mkdtempSync(join(tmpdir(), 'bench-dictionary-'));
  const server = createServer((request, response) => answerStub(catalogue, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const api = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const catalogue = await secondCatalogue(api);
  try {
    await npm(HERE, ['run', '--silent', 'build'], { OUT_DIR: join(work, 'dist'), PUBLIC_API_HOST: api });
    const site = await serveSite({ directory: join(work, 'dist'), host: '127.0.0.1' });
    const { bytes } = await weigh(shop, site.url, [await productPaths(site.url)]);
    await site.close();
    return bytes.flat();
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(work, { recursive: true, force: true });
  }
}

/** Measures the weight of further pages of a visit, in a browser that holds the dictionary. */
export async function measureDictionary(shop: BenchShop): Promise<Row[]> {
  const [site] = shop.sites;
  const groups = [await productPaths(site), ['/', '/products'], POLICIES, ISLAND_PAGES];
  const { dictionary, bytes } = await weigh(shop, site, groups);
  const [products = [], entrances = [], policies = [], islands = []] = bytes;
  const row = (what: string, bar: number, value: number): Row => ({
    what: `with a dictionary: ${what}`,
    unit: 'bytes',
    bar,
    value,
  });
  return [
    row('the dictionary itself', 22 * 1024, dictionary),
    row('product page, median', 600, median(products)),
    row('product page, worst', 1_200, worst(products)),
    row('home and listing, worst', 2_000, worst(entrances)),
    row('policies, worst', 3_000, worst(policies)),
    row('island pages, worst', 3_500, worst(islands)),
    row('product page of a second catalogue, median', 900, median(await weighSecond(shop))),
  ];
}
