import { toLine } from '#domain/cart.ts';
import { openSlowPhone, SLOW_PHONE_NOTE } from './phone.ts';
import { answeringSince, tapUntilAnswered } from './ready.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns, median } from './turns.ts';

const ROUNDS = 7;
/** An island that calls the API renders after the load, and may still be the largest paint. */
const SETTLE_MS = 1_500;

interface Paints {
  readonly first: number;
  readonly largest: number;
}

/** The ms from the start of a first visit to its paints. The cart page gets a cart with a line. */
async function paintsOf({ browser, client }: BenchShop, url: string): Promise<Paints> {
  const phone = await openSlowPhone(browser);
  const { page, context } = phone;
  if (url.endsWith('/cart')) {
    const line = toLine(await client.product(({ price }) => price > 0), { size: '', color: '', quantity: 1 });
    await page.addInitScript((cart) => localStorage.setItem('cart', cart), JSON.stringify([line]));
  }
  await page.goto(url);
  await page.waitForTimeout(SETTLE_MS);
  const paints = await page.evaluate(async () => {
    const timesOf = (type: string): Promise<number[]> =>
      new Promise((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().map(({ startTime }) => startTime)),
        ).observe({ type, buffered: true });
      });
    const [largest] = (await timesOf('largest-contentful-paint')).slice(-1);
    const [first] = (await timesOf('paint')).slice(-1);
    return { first: first ?? Number.NaN, largest: largest ?? Number.NaN };
  });
  await context.close();
  return paints;
}

/** The ms from the start of a first visit until the page answers a tap. */
async function readyOf({ browser }: BenchShop, url: string): Promise<number> {
  const { page, context } = await openSlowPhone(browser);
  await page.addInitScript(tapUntilAnswered);
  await page.goto(url);
  const ready = await answeringSince(page);
  await context.close();
  return ready;
}

const range = (values: readonly number[]): string =>
  `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`;
const noteOf = (visits: readonly number[][]): string =>
  `${visits.map(range).join(', other ')} in ${ROUNDS} visits; ${SLOW_PHONE_NOTE}`;

const row = (what: string, ratioBar: number, visits: number[][]): Row =>
  compared({ what, unit: 'ms', ratioBar, note: noteOf(visits) }, visits.map(median));

async function paintRows(shop: BenchShop, name: string, path: string, ratioBar: number): Promise<Row[]> {
  const visits = await inTurns(shop.sites, ROUNDS, (site) => paintsOf(shop, site + path));
  const timesOf = (kind: keyof Paints): number[][] =>
    visits.map((paints) => paints.map((paint) => paint[kind]));
  return [
    row(`${name}: first paint`, ratioBar, timesOf('first')),
    row(`${name}: LCP`, ratioBar, timesOf('largest')),
  ];
}

async function readyRow(shop: BenchShop, name: string, path: string): Promise<Row> {
  const visits = await inTurns(shop.sites, ROUNDS, (site) => readyOf(shop, site + path));
  return row(`${name}: scripts ready`, 1.25, visits);
}

/** Measures first visits on a slow phone, the median of seven. The only bars are ratios to the other commit. */
export async function measureThrottled(shop: BenchShop): Promise<Row[]> {
  return [
    ...(await paintRows(shop, 'home', '/', 1.1)),
    ...(await paintRows(shop, 'listing', '/products', 1.1)),
    ...(await paintRows(shop, 'product', shop.productPath, 1.1)),
    ...(await paintRows(shop, 'policy', '/terms', 1.1)),
    ...(await paintRows(shop, 'cart', '/cart', 1.25)),
    await readyRow(shop, 'home', '/'),
    await readyRow(shop, 'listing', '/products'),
  ];
}
