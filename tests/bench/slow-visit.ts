import type { Page } from 'playwright';
import { toLine } from '#domain/cart.ts';
import { startTestApi } from '#tests/support/api.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { type Arrival, arrivalOf, untilArrived, watchArrivals } from './arrival.ts';
import { type Line, openLine } from './line.ts';
import { type BenchPage, prepare } from './pages.ts';
import { openPhone, slowCpu } from './phone.ts';
import { type BenchShop, launchBrowser } from './shop.ts';
import type { Traffic } from './traffic.ts';

/** As long as a shopper looks at a page. What the service worker fetches ahead, 3 s after the load, has come by then. */
const LOOK_MS = 5_000;

export interface SlowShop extends BenchShop {
  readonly line: Line;
}

export interface Step {
  readonly name: string;
  readonly go: (page: Page) => Promise<unknown>;
  /** A page of plain HTML that is opened anew. */
  readonly isContent?: true;
}

export interface Visit {
  readonly start: BenchPage;
  readonly steps: readonly Step[];
  /** Runs in every page, to take something from the browser. */
  readonly remove?: () => void;
}

export interface Seen extends Arrival {
  readonly name: string;
  readonly isContent?: true;
  /** From looking for what is tapped until the page was looked at. */
  readonly traffic: Traffic;
}

/** The sites behind a slow line, with an API and a browser of their own. */
export async function openSlowShop(shop: BenchShop): Promise<SlowShop> {
  const line = openLine();
  const [site, ...others] = shop.sites;
  const sites: BenchShop['sites'] = [await line.to(site), ...(await Promise.all(others.map(line.to)))];
  const api = await startTestApi({ siteOrigins: sites });
  // Playwright switches the back/forward cache off.
  const options = { ignoreDefaultArgs: ['--disable-back-forward-cache'] };
  const browser = await launchBrowser(await line.to(api.url), options);
  const close = async (): Promise<void> => {
    await browser.close();
    line.close();
    await api.close();
  };
  return { ...shop, line, sites, apiUrl: api.url, client: createShopClient(api), browser, close };
}

/** Opens a first page on a slow phone, with two lines in the cart, and takes the steps from there. */
export async function visit(shop: SlowShop, site: string, { start, steps, remove }: Visit): Promise<Seen[]> {
  const phone = await openPhone(shop.browser, { serviceWorkers: 'allow' });
  const { context, page } = phone;
  await slowCpu(phone);
  await watchArrivals(context);
  if (remove) await context.addInitScript(remove);
  const products = (await shop.client.products()).filter(({ price }) => price > 0);
  const cart = products.slice(0, 2).map((product) => toLine(product, { size: '', color: '', quantity: 1 }));
  await context.addInitScript((lines) => {
    localStorage.cart ??= lines;
  }, JSON.stringify(cart));
  const address = await prepare(shop, site, start, context);
  const first: Step = { name: start.name, go: () => page.goto(address, { waitUntil: 'commit' }) };

  const seen: Seen[] = [];
  shop.line.takeTraffic();
  for (const { go, ...step } of [first, ...steps]) {
    await go(page);
    await untilArrived(page);
    await page.waitForTimeout(LOOK_MS);
    seen.push({ ...step, ...(await arrivalOf(page)), traffic: shop.line.takeTraffic() });
  }
  await context.close();
  return seen;
}
