import { toLine } from '#domain/cart.ts';
import { startTestApi } from '#tests/support/api.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { openLine } from './line.ts';
import { type BenchPage, prepare } from './pages.ts';
import { openPhone, slowCpu } from './phone.ts';
import { type BenchShop, launchBrowser } from './shop.ts';
import { compared, type Row } from './table.ts';
import { serveOverTls } from './tls-site.ts';
import { inTurns, median } from './turns.ts';

const ROUNDS = 5;
/** After the load, an island or a picture may still become the largest paint. */
const SETTLE_MS = 1_500;
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 };
const SCRIPTS_BAR = 8;
const PICTURES_BAR_KIB = { 'HTTP/2': 30, 'HTTP/1.1': 70 };

interface SlowPage extends BenchPage {
  /** What the page is for; a page without it is measured by its largest paint. */
  readonly purpose?: string;
  /** The bars for the ratio to the other commit, over HTTP/2 and over HTTP/1.1. */
  readonly ratioBars: readonly [number, number?];
}

const ORDERED = { isSignedIn: true, hasOrder: true } as const;
const pagesOf = ({ productPath }: BenchShop): readonly SlowPage[] => [
  { name: 'home', path: '/', ratioBars: [0.85, 1] },
  { name: 'listing', path: '/products', ratioBars: [1, 1] },
  { name: 'product', path: productPath, ratioBars: [1, 1] },
  { name: 'cart', path: '/cart', purpose: 'main li button', ratioBars: [0.85] },
  { name: 'checkout', path: '/checkout', purpose: 'main form input', isSignedIn: true, ratioBars: [0.75] },
  // The order's id is added to the end of the address.
  { name: 'orders', path: '/orders#', purpose: 'main .orders > li', ...ORDERED, ratioBars: [0.7] },
  { name: 'payment', path: '/payment?orderId=', purpose: 'main form input', ...ORDERED, ratioBars: [0.7] },
];

interface Seen {
  readonly ms: number;
  /** Scripts that had arrived by then. */
  readonly scripts: number;
  /** KiB of pictures that came before the load event. */
  readonly pictures: number;
}

/** Runs in the page: notes the largest paint, and the first frame in which the page's purpose can be seen. */
function watch(purpose: string): void {
  const note = (at: number): void => void Object.assign(globalThis, { benchSeen: at });
  if (!purpose) {
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) note(startTime);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    return;
  }
  const look = (): void => {
    const element = document.querySelector(purpose);
    if (element && element.getClientRects().length > 0) note(performance.now());
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function visit(shop: BenchShop, site: string, page: SlowPage): Promise<Seen> {
  const phone = await openPhone(shop.browser, { ...PHONE, ignoreHTTPSErrors: true });
  const { context } = phone;
  await slowCpu(phone);
  const products = (await shop.client.products()).filter(({ price }) => price > 0);
  const cart = products.slice(0, 2).map((product) => toLine(product, { size: '', color: '', quantity: 1 }));
  await context.addInitScript((lines) => {
    localStorage.cart ??= lines;
  }, JSON.stringify(cart));
  await context.addInitScript(watch, page.purpose ?? '');
  await phone.page.goto(await prepare(shop, site, page, context));
  await phone.page.waitForFunction(() => Number(Reflect.get(globalThis, 'benchSeen')) > 0, undefined, {
    polling: 200,
  });
  await phone.page.waitForTimeout(SETTLE_MS);
  const seen = await phone.page.evaluate(() => {
    const ms = Number(Reflect.get(globalThis, 'benchSeen'));
    const [navigation] = performance.getEntriesByType('navigation');
    const loaded = (navigation as PerformanceNavigationTiming).loadEventStart;
    const resources = performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming & { readonly contentType: string });
    const pictures = resources.filter(
      ({ contentType, responseEnd }) => contentType.startsWith('image/') && responseEnd <= loaded,
    );
    return {
      ms,
      scripts: resources.filter(({ name, responseEnd }) => /\.js$/.test(name) && responseEnd <= ms).length,
      pictures: pictures.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024,
    };
  });
  await context.close();
  return seen;
}

async function measureOver(
  bench: BenchShop,
  protocol: 'HTTP/2' | 'HTTP/1.1',
  rounds: number,
): Promise<Row[]> {
  const isTls = protocol === 'HTTP/2';
  const line = openLine({ slowStart: true });
  const apiLine = openLine({ slowStart: true });
  const servers = isTls ? await Promise.all(bench.directories.map(serveOverTls)) : [];
  const origins = isTls ? servers.map(({ url }) => url) : bench.sites;
  const sites = await Promise.all(origins.map(line.to));
  const api = await startTestApi({ siteOrigins: sites });
  const browser = await launchBrowser(await apiLine.to(api.url), { args: ['--ignore-certificate-errors'] });
  const shop: BenchShop = { ...bench, apiUrl: api.url, client: createShopClient(api), browser };
  const rows: Row[] = [];
  try {
    for (const page of pagesOf(bench)) {
      const visits = await inTurns(sites, rounds, (site) => visit(shop, site, page));
      const valuesOf = (kind: keyof Seen): number[] =>
        visits.map((seen) => median(seen.map((each) => each[kind])));
      const what = `${protocol}, ${page.name}`;
      const note = visits.map((seen) => seen.map(({ ms }) => Math.round(ms)).join(' ')).join('; other ');
      const ratioBar = page.ratioBars[isTls ? 0 : 1];
      const until = page.purpose ? 'until what it is for' : 'LCP';
      rows.push(compared({ what: `${what}: ${until}`, unit: 'ms', ratioBar, note }, valuesOf('ms')));
      if (page.purpose)
        rows.push(
          compared({ what: `${what}: scripts by then`, unit: '', bar: SCRIPTS_BAR }, valuesOf('scripts')),
        );
      if (page.path === '/')
        rows.push(
          compared(
            { what: `${what}: pictures until load`, unit: 'KiB', bar: PICTURES_BAR_KIB[protocol] },
            valuesOf('pictures'),
          ),
        );
    }
    return rows;
  } finally {
    await browser.close();
    line.close();
    apiLine.close();
    for (const server of servers) server.close();
    await api.close();
  }
}

/** Measures first visits on a slow line as CDNs serve them today, over HTTP/2 and TLS, and over HTTP/1.1. */
export const measureSlowLine = async (bench: BenchShop, rounds = ROUNDS): Promise<Row[]> => [
  ...(await measureOver(bench, 'HTTP/2', rounds)),
  ...(await measureOver(bench, 'HTTP/1.1', rounds)),
];
