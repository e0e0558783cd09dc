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

/** How long the shopper looks at a page. The service worker prefetches 3 s after the load, and ends before this. */
const LOOK_MS = 5_000;
/** The same for a page that fetches nothing, because it comes out of the back/forward cache. */
const SHORT_LOOK_MS = 2_000;

export interface SlowShop extends BenchShop {
  readonly line: Line;
}

export interface Step {
  readonly name: string;
  readonly go: (page: Page) => Promise<unknown>;
  /** Whether the step opens a new page without islands. */
  readonly isContent?: true;
  /** Whether the shopper looks only for a short time. */
  readonly isShort?: true;
}

export interface Visit {
  readonly start: BenchPage;
  readonly steps: readonly Step[];
  /** Runs in every page to remove a feature of the browser. */
  readonly remove?: () => void;
}

/** A page that the shopper has seen. */
export interface Seen extends Arrival {
  readonly name: string;
  readonly isContent?: true;
  /** The traffic from the look at the tap's target until the end of the look at the page. */
  readonly traffic: Traffic;
}

/** The sites behind a slow line, with their own API and browser. */
export async function openSlowShop(shop: BenchShop): Promise<SlowShop> {
  const line = openLine();
  const [site, ...others] = shop.sites;
  const sites: BenchShop['sites'] = [await line.to(site), ...(await Promise.all(others.map(line.to)))];
  const api = await startTestApi({ siteOrigins: sites });
  // Playwright would switch off the back/forward cache.
  const options = { ignoreDefaultArgs: ['--disable-back-forward-cache'] };
  const browser = await launchBrowser(await line.to(api.url), options);
  const close = async (): Promise<void> => {
    await browser.close();
    line.close();
    await api.close();
  };
  return { ...shop, line, sites, apiUrl: api.url, client: createShopClient(api), browser, close };
}

/** Opens a first page on a slow phone with two lines in the cart, and goes through the steps. */
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
  for (const { go, isShort, ...step } of [first, ...steps]) {
    await go(page);
    await untilArrived(page);
    await page.waitForTimeout(isShort ? SHORT_LOOK_MS : LOOK_MS);
    seen.push({ ...step, ...(await arrivalOf(page)), traffic: shop.line.takeTraffic() });
  }
  await context.close();
  return seen;
}
