import type { Page } from 'playwright';
import { LABELLED_ADDRESS, type Shopper } from '#tests/support/shop-client.ts';
import { BARE_PATH, serveFloor } from './floor.ts';
import { AFTER_LOAD_MS, type BenchShop, openPhone } from './shop.ts';
import type { Row } from './table.ts';

const INP_BAR_MS = 100;
const PATIENCE_MS = 60_000;
/** Of the interactions of one, p98 would be the second slowest, whatever held that one up. */
const JOURNEYS = 3;

interface Interaction {
  readonly ms: number;
  readonly what: string;
}

interface Log {
  readonly interactions: Interaction[];
  readonly shifts: number[];
  /** Interactions of each page. */
  readonly counts: number[];
}

/**
 * Collects, in every page of the journey, how long each interaction took to its next paint, and every layout shift. It
 * is written down when the page is left: what measures must not hold up what is measured.
 */
function observe(): void {
  const interactions = new Map<number, Interaction>();
  const shifts: number[] = [];
  const place = (node: Node | null): string =>
    node instanceof Element
      ? `${node.tagName.toLowerCase()} ${node.getAttribute('aria-label') ?? node.id}`
      : '';
  const takeInteractions = (entries: PerformanceEntryList): void => {
    for (const entry of entries) {
      if (!(entry instanceof PerformanceEventTiming) || !('interactionId' in entry)) continue;
      const {
        interactionId,
        duration: ms,
        name,
        target,
      } = entry as PerformanceEventTiming & {
        interactionId: number;
      };
      if (!interactionId || ms <= (interactions.get(interactionId)?.ms ?? 0)) continue;
      interactions.set(interactionId, { ms, what: `${name} ${place(target)} on ${location.pathname}` });
    }
  };
  // `hadRecentInput` is true without any input: setting the size of an emulated phone counts as one.
  const takeShifts = (entries: PerformanceEntryList): void => {
    for (const entry of entries) shifts.push((entry as PerformanceEntry & { value: number }).value);
  };
  const watch = (
    take: (entries: PerformanceEntryList) => void,
    options: PerformanceObserverInit,
  ): (() => void) => {
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe(options);
    return () => take(observer.takeRecords());
  };
  const ends = [
    watch(takeInteractions, {
      type: 'event',
      durationThreshold: 16,
      buffered: true,
    } as PerformanceObserverInit),
    watch(takeShifts, { type: 'layout-shift', buffered: true }),
  ];
  const keep = (name: string, values: readonly unknown[]): void => {
    const before: unknown[] = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    sessionStorage.setItem(name, JSON.stringify([...before, ...values]));
  };
  addEventListener('pagehide', () => {
    for (const end of ends) end();
    keep('bench-interactions', [...interactions.values()]);
    keep('bench-shifts', shifts);
    // Those faster than 16 ms have no entry, but count.
    const { interactionCount } = performance as Performance & { interactionCount: number };
    keep('bench-counts', [interactionCount]);
  });
}

/** What was written down in the pages before; the page that is open is left for it. */
async function readLog(url: string, page: Page): Promise<Log> {
  await page.goto(url);
  return page.evaluate(() => {
    const read = (name: string) => JSON.parse(sessionStorage.getItem(`bench-${name}`) ?? '[]');
    return { interactions: read('interactions'), shifts: read('shifts'), counts: read('counts') };
  });
}

async function fillCart(page: Page, url: string, productPath: string): Promise<void> {
  await page.goto(`${url}/`);
  await page.getByRole('button', { name: 'Menu', exact: true }).tap();
  await page.keyboard.press('Escape');
  await page.goto(`${url}/products`);
  for (const index of [0, 1, 2]) await page.locator('main [data-add]').nth(index).tap();
  await page.goto(url + productPath);
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Increase quantity' }).tap();
  await page.locator('.buy-add').tap();
  await page.waitForURL(`${url}/cart`);
}

async function editCart(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: /^Increase quantity/ }).first();
  await more.waitFor();
  for (let step = 0; step < 5; step += 1) await more.tap();
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .tap();
  await page.getByRole('button', { name: 'Undo' }).first().tap();
}

async function signIn(page: Page, url: string, { email, password }: Shopper): Promise<void> {
  await page.getByRole('link', { name: 'Checkout' }).first().tap();
  await page.waitForURL(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Email').press('Tab');
  await page.getByRole('button', { name: 'Show password' }).tap();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).tap();
  await page.waitForURL(`${url}/checkout`);
}

async function orderAndPay(page: Page): Promise<void> {
  for (const [label, text] of Object.entries(LABELLED_ADDRESS)) {
    await page.getByLabel(label, { exact: true }).fill('');
    await page.getByLabel(label, { exact: true }).pressSequentially(text);
  }
  await page.getByRole('button', { name: 'Create Order' }).tap();
  await page.waitForURL(/\/payment\?orderId=/);
  await page.getByRole('button', { name: 'Pay Now' }).tap();
  await page.getByRole('img', { name: 'QR code of the payment' }).waitFor();
}

/** A shopper's taps and keys from the home page to the payment's QR code, CPU 4× slower. */
async function shopAround({ url, productPath, client }: BenchShop, page: Page): Promise<void> {
  const shopper = await client.register();
  await fillCart(page, url, productPath);
  await editCart(page);
  await signIn(page, url, shopper);
  await orderAndPay(page);
}

/** Layout shifts of the pages that are drawn at run time, on a slow line, until everything has come after the load. */
async function shiftsOf(shop: BenchShop, path: string): Promise<number> {
  const { context, page } = await openPhone(shop, { slowNetwork: true });
  await page.addInitScript(observe);
  await page.goto(shop.url + path, { waitUntil: 'load' });
  await page.waitForTimeout(AFTER_LOAD_MS);
  const { shifts } = await readLog(shop.url, page);
  await context.close();
  return shifts.reduce((sum, shift) => sum + shift, 0);
}

/** What `act` did in pages of `url`, CPU 4× slower. */
async function interactionsOf(
  shop: BenchShop,
  url: string,
  act: (page: Page) => Promise<void>,
): Promise<Log> {
  const { context, page } = await openPhone(shop, { slowCpu: true });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(observe);
  await act(page);
  const log = await readLog(url, page);
  await context.close();
  return log;
}

/** As many visits as a journey has pages, and taps in each as that page had interactions: where nothing answers them. */
async function tapBarePages(page: Page, url: string, counts: readonly number[]): Promise<void> {
  for (const count of counts) {
    await page.goto(url);
    for (let tap = 0; tap < count; tap += 1) await page.getByRole('button').tap();
  }
}

const slowestFirst = (logs: readonly Log[]): Interaction[] =>
  logs.flatMap(({ interactions }) => interactions).sort((a, b) => b.ms - a.ms);
const countOf = (logs: readonly Log[]): number =>
  logs.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0);
/** Those faster than 16 ms are not among the seen. */
const p98 = (logs: readonly Log[]): number => slowestFirst(logs)[Math.floor(countOf(logs) * 0.02)]?.ms ?? 0;

async function measureInteractions(shop: BenchShop): Promise<Row> {
  const floor = await serveFloor(shop.dist, []);
  const bareUrl = floor.url + BARE_PATH;
  const journeys: Log[] = [];
  const bare: Log[] = [];
  for (let journey = 0; journey < JOURNEYS; journey += 1) {
    const log = await interactionsOf(shop, shop.url, (page) => shopAround(shop, page));
    journeys.push(log);
    bare.push(await interactionsOf(shop, bareUrl, (page) => tapBarePages(page, bareUrl, log.counts)));
  }
  await floor.close();
  const slowest = slowestFirst(journeys).slice(0, 3);
  return {
    what: 'interaction to next paint, p98',
    value: p98(journeys),
    unit: 'ms',
    bar: INP_BAR_MS,
    note: `of ${countOf(journeys)} in ${JOURNEYS} journeys, CPU 4×; a bare page with as many: ${p98(bare)} ms; slowest: ${slowest.map(({ ms, what }) => `${ms} ms ${what}`).join(', ')}`,
  };
}

export async function measureJourney(shop: BenchShop): Promise<Row[]> {
  return [
    await measureInteractions(shop),
    {
      what: 'layout shift, filtered listing',
      value: await shiftsOf(shop, '/products?category=berries'),
      unit: '',
      bar: 0,
    },
    {
      what: 'layout shift, product newer than the build',
      value: await shiftsOf(shop, '/product/unknown'),
      unit: '',
      bar: 0,
    },
  ];
}
