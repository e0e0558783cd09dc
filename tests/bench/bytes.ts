import { brotliBytes } from '#scripts/check/page-weight.ts';
import { FIRST_WINDOW, sentBytes } from '#scripts/check/sent-bytes.ts';
import { AFTER_LOAD_MS, type BenchShop, openPhone } from './shop.ts';
import type { Row } from './table.ts';

const KIB = 1024;
const COUNTED = new Set(['document', 'script', 'stylesheet']);

interface PageBudget {
  readonly name: string;
  readonly path: string;
  /** KiB until the load event. */
  readonly load: number;
  /** KiB until 2.5 s after it. */
  readonly idle?: number;
  readonly signedIn?: boolean;
  /** The page itself is to come in one round trip. */
  readonly atOnce?: boolean;
}

const pagesOf = ({ productPath }: BenchShop): PageBudget[] => [
  { name: 'home', path: '/', load: 14, idle: 30, atOnce: true },
  { name: 'listing', path: '/products', load: 14, idle: 30, atOnce: true },
  { name: 'filtered listing', path: '/products?category=berries', load: 14, idle: 30 },
  { name: 'product', path: productPath, load: 14, idle: 30, atOnce: true },
  { name: 'policy', path: '/terms', load: 10, idle: 30 },
  { name: 'contact', path: '/contact', load: 10, idle: 30 },
  { name: '404', path: '/nowhere/at/all', load: 10, idle: 30 },
  { name: 'order success', path: '/order-success', load: 10, idle: 30 },
  { name: 'cart', path: '/cart', load: 75 },
  { name: 'login', path: '/login', load: 75 },
  { name: 'register', path: '/register', load: 75 },
  { name: 'track order', path: '/track-order', load: 75 },
  { name: 'account', path: '/account', load: 75, signedIn: true },
  { name: 'checkout', path: '/checkout', load: 75, signedIn: true },
  { name: 'orders', path: '/orders', load: 75, signedIn: true },
  { name: 'payment', path: '/payment?orderId=unknown', load: 85, signedIn: true },
];

interface Weight {
  /** HTML, CSS and JavaScript, in KiB of brotli 11. */
  readonly load: number;
  readonly idle: number;
  /** Bytes of the page as it was sent, its headers included. */
  readonly sent: number;
}

/** What one first visit fetched. */
async function weigh(shop: BenchShop, { path, signedIn }: PageBudget): Promise<Weight> {
  const { context, page } = await openPhone(shop);
  if (signedIn) {
    const { token } = await shop.client.newSignedIn();
    await context.addCookies([{ name: 'auth_token', value: token, url: shop.url }]);
  }
  const bodies: { at: number; bytes: Promise<number> }[] = [];
  page.on('response', (response) => {
    if (!COUNTED.has(response.request().resourceType())) return;
    const bytes = response.body().then(brotliBytes, () => 0);
    bodies.push({ at: Date.now(), bytes });
  });
  await page.goto(shop.url + path, { waitUntil: 'load' });
  const loaded = Date.now();
  const sent = await sentBytes(shop.url + path);
  await page.waitForTimeout(AFTER_LOAD_MS);
  const sum = async (until: number): Promise<number> => {
    const sizes = await Promise.all(bodies.filter(({ at }) => at <= until).map(({ bytes }) => bytes));
    return sizes.reduce((total, size) => total + size, 0) / KIB;
  };
  const result = {
    load: await sum(loaded),
    idle: await sum(loaded + AFTER_LOAD_MS),
    sent,
  };
  await context.close();
  return result;
}

export async function measureBytes(shop: BenchShop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const page of pagesOf(shop)) {
    const { load, idle, sent } = await weigh(shop, page);
    rows.push({ what: `${page.name}: until load`, value: load, unit: 'KiB', bar: page.load });
    if (page.atOnce)
      rows.push({ what: `${page.name}: sent, with headers`, value: sent, unit: 'bytes', bar: FIRST_WINDOW });
    rows.push({
      what: `${page.name}: until 2.5 s after`,
      value: idle,
      unit: 'KiB',
      ...(page.idle ? { bar: page.idle } : {}),
    });
  }
  return rows;
}
