import type { Page } from 'playwright';
import { type BenchShop, openPhone } from './shop.ts';
import type { Row } from './table.ts';

const INP_BAR_MS = 100;

/** Collects, in every page of the journey, how long each interaction took to its next paint, and every layout shift. */
function observe(): void {
  const keep = (name: string, value: number): void => {
    const values: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    sessionStorage.setItem(name, JSON.stringify([...(Array.isArray(values) ? values : []), value]));
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry instanceof PerformanceEventTiming && 'interactionId' in entry && entry.interactionId) {
        keep('bench-interactions', entry.duration);
      }
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
      if (!shift.hadRecentInput) keep('bench-shifts', shift.value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

const read = (page: Page, name: string): Promise<number[]> =>
  page.evaluate((key) => JSON.parse(sessionStorage.getItem(key) ?? '[]') as number[], name);

const percentile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** A shopper's taps and keys through listing, product, cart and sign-in, CPU 4× slower. */
async function shopAround({ url, productPath }: BenchShop, page: Page): Promise<void> {
  await page.goto(`${url}/`);
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.keyboard.press('Escape');
  await page.goto(`${url}/products`);
  for (const index of [0, 1, 2]) await page.locator('main [data-add]').nth(index).tap();
  await page.goto(url + productPath);
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Increase quantity' }).tap();
  await page.getByRole('button', { name: 'Add to Cart' }).first().tap();
  await page.waitForURL(`${url}/cart`);
  const more = page.getByRole('button', { name: 'Increase quantity' }).first();
  await more.waitFor();
  for (let step = 0; step < 5; step += 1) await more.tap();
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .tap();
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill('nobody@example.in');
  await page.getByLabel('Email').press('Tab');
  await page.getByRole('button', { name: 'Show password' }).tap();
}

/** Layout shifts of the pages that are drawn at run time, on a slow line. */
async function shiftsOf(shop: BenchShop, path: string): Promise<number> {
  const { context, page } = await openPhone(shop, { slowNetwork: true });
  await page.addInitScript(observe);
  await page.goto(shop.url + path, { waitUntil: 'networkidle' });
  const shifts = await read(page, 'bench-shifts');
  await context.close();
  return shifts.reduce((sum, shift) => sum + shift, 0);
}

export async function measureJourney(shop: BenchShop): Promise<Row[]> {
  const { context, page } = await openPhone(shop, { slowCpu: true });
  await page.addInitScript(observe);
  await shopAround(shop, page);
  const interactions = await read(page, 'bench-interactions');
  await context.close();
  return [
    {
      what: 'interaction to next paint, p98',
      value: percentile(interactions, 0.98),
      unit: 'ms',
      bar: INP_BAR_MS,
      note: `${interactions.length} slower than 16 ms; CPU 4×`,
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
