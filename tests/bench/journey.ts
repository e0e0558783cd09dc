import type { Page } from 'playwright';
import { LABELLED_ADDRESS, type Shopper } from '#tests/support/shop-client.ts';
import { AFTER_LOAD_MS, type BenchShop, openPhone } from './shop.ts';
import type { Row } from './table.ts';

const INP_BAR_MS = 100;
const PATIENCE_MS = 60_000;

interface Interaction {
  readonly ms: number;
  readonly what: string;
}

/** Collects, in every page of the journey, how long each interaction took to its next paint, and every layout shift. */
function observe(): void {
  const keep = (name: string, key: string, value: unknown): void => {
    const values = JSON.parse(sessionStorage.getItem(name) ?? '{}');
    sessionStorage.setItem(name, JSON.stringify({ ...values, [key]: value }));
  };
  const place = (node: Node | null): string =>
    node instanceof Element
      ? `${node.tagName.toLowerCase()} ${node.getAttribute('aria-label') ?? node.id}`
      : '';
  const keepInteractions = (entries: PerformanceEntryList): void => {
    for (const entry of entries) {
      if (!(entry instanceof PerformanceEventTiming) || !('interactionId' in entry)) continue;
      const { interactionId, duration, name, target } = entry;
      const key = `${location.pathname}-${interactionId}`;
      const known = JSON.parse(sessionStorage.getItem('bench-interactions') ?? '{}')[key]?.ms ?? 0;
      if (!interactionId || duration <= known) continue;
      keep('bench-interactions', key, {
        ms: duration,
        what: `${name} ${place(target)} on ${location.pathname}`,
      });
    }
  };
  const keepShifts = (entries: PerformanceEntryList): void => {
    for (const entry of entries) {
      // `hadRecentInput` is true without any input: setting the size of an emulated phone counts as one.
      const { value } = entry as PerformanceEntry & { value: number };
      keep('bench-shifts', `${location.pathname}-${entry.startTime}`, value);
    }
  };
  const watch = (take: (entries: PerformanceEntryList) => void, options: PerformanceObserverInit): void => {
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe(options);
    addEventListener('pagehide', () => take(observer.takeRecords()));
  };
  watch(keepInteractions, {
    type: 'event',
    durationThreshold: 16,
    buffered: true,
  } as PerformanceObserverInit);
  watch(keepShifts, { type: 'layout-shift', buffered: true });
  // Those faster than 16 ms have no entry, but count.
  addEventListener('pagehide', () => {
    const { interactionCount } = performance as Performance & { interactionCount: number };
    keep('bench-counts', `${location.pathname}-${performance.timeOrigin}`, interactionCount);
  });
}

const read = <Value>(page: Page, name: string): Promise<Value[]> =>
  page.evaluate((key) => Object.values(JSON.parse(sessionStorage.getItem(key) ?? '{}')) as Value[], name);

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
  const shifts = await read<number>(page, 'bench-shifts');
  await context.close();
  return shifts.reduce((sum, shift) => sum + shift, 0);
}

export async function measureJourney(shop: BenchShop): Promise<Row[]> {
  const { context, page } = await openPhone(shop, { slowCpu: true });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(observe);
  await shopAround(shop, page);
  await page.goto(shop.url);
  const interactions = await read<Interaction>(page, 'bench-interactions');
  const counts = await read<number>(page, 'bench-counts');
  await context.close();
  interactions.sort((a, b) => b.ms - a.ms);
  const count = counts.reduce((sum, each) => sum + each, 0);
  const slowest = interactions.slice(0, 3).map(({ ms, what }) => `${ms} ms ${what}`);
  return [
    {
      what: 'interaction to next paint, p98',
      value: interactions[Math.floor(count * 0.02)]?.ms ?? 0,
      unit: 'ms',
      bar: INP_BAR_MS,
      note: `of ${count}, CPU 4×; slowest: ${slowest.join(', ')}`,
    },
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
