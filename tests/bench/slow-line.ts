import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { type Browser, chromium } from 'playwright';
import { toLine } from '#domain/cart.ts';
import { createSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { chromiumArgs, findChromium } from '#tests/support/find-chromium.ts';
import { listenLocally } from '#tests/support/free-port.ts';
import { createShopClient, type ShopClient } from '#tests/support/shop-client.ts';
import { build, HERE } from './builds.ts';
import { openLine } from './line.ts';
import { inTurns, median, type Row } from './table.ts';

const SITE = '.cache/test-dist';
const REACH_API = new URL('../support/reach-api.ts', import.meta.url).href;

/**
 * Builds the demo shop of this commit, unless SITE_DIST names one that is built, and of another commit if there is
 * one to compare with. Returns the folders of the sites.
 */
export async function buildSites(other: string | undefined): Promise<string[]> {
  const api = await startTestApi();
  const siteOf = async (folder: string): Promise<string> => {
    const target = join(folder, SITE);
    const env = {
      OUT_DIR: target,
      PUBLIC_API_HOST: '',
      PUBLIC_IDEMPOTENCY_KEYS: 'true',
      NODE_OPTIONS: `--import=${REACH_API}`,
      REACH_API: api.url,
    };
    await build(folder, env, join(HERE, '.cache/bench-usage'));
    return target;
  };
  const sites = [process.env.SITE_DIST || (await siteOf(HERE))];
  if (other !== undefined) sites.push(await siteOf(other));
  await api.close();
  return sites;
}

function selfSigned(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return pair;
}

/** Serves a built site over HTTP/2 and TLS, as CDNs do, by Node's `http2` and its own order of responses. */
async function serveOverTls(directory: string): Promise<{ url: string; close(): void }> {
  const site = await createSite(directory);
  const server = createSecureServer(
    selfSigned(),
    getRequestListener(site.fetch, { overrideGlobalObjects: false }),
  );
  const { port } = new URL(await listenLocally(server));
  return {
    url: `https://localhost:${port}`,
    close: () => void server.close(),
  };
}

/** A phone that has never seen the shop. */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  serviceWorkers: 'block',
  ignoreHTTPSErrors: true,
} as const;

const ROUNDS = 5;
const CPU_SLOWDOWN = 4;
/** After the load, an island or a picture may still become the largest paint. */
const SETTLE_MS = 1_500;

interface SlowPage {
  readonly name: string;
  readonly path: string;
  /** What the page is for; a page without it is measured by its largest paint. */
  readonly purpose?: string;
  readonly isSignedIn?: true;
  /** The page needs an order, whose id is added to the end of the address. */
  readonly hasOrder?: true;
}

const ORDERED = { isSignedIn: true, hasOrder: true } as const;
const pagesOf = (productPath: string): readonly SlowPage[] => [
  { name: 'home', path: '/' },
  { name: 'listing', path: '/products' },
  { name: 'product', path: productPath },
  { name: 'cart', path: '/cart', purpose: 'main li button' },
  { name: 'checkout', path: '/checkout', purpose: 'main form input', isSignedIn: true },
  { name: 'orders', path: '/orders#', purpose: '#orders > li', ...ORDERED },
  { name: 'payment', path: '/payment?orderId=', purpose: 'main form input', ...ORDERED },
];

/** Runs in the page: notes the largest paint, or the first frame in which the page's purpose can be seen. */
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

type Shop = { readonly browser: Browser; readonly client: ShopClient };

/** The ms until a new visitor with two lines in the cart sees what the page is for. */
async function visit({ browser, client }: Shop, site: string, page: SlowPage): Promise<number> {
  const context = await browser.newContext(PHONE);
  const tab = await context.newPage();
  const cdp = await context.newCDPSession(tab);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const products = (await client.products()).filter(({ price }) => price > 0);
  const cart = products.slice(0, 2).map((product) => toLine(product, { size: '', color: '', quantity: 1 }));
  await context.addInitScript((lines) => {
    localStorage.cart ??= lines;
  }, JSON.stringify(cart));
  await context.addInitScript(watch, page.purpose ?? '');
  let address = site + page.path;
  if (page.isSignedIn) {
    const shopper = await client.newSignedIn();
    await context.addCookies([{ name: 'auth_token', value: shopper.token, url: site }]);
    if (page.hasOrder) address += (await client.order(shopper)).id;
  }
  await tab.goto(address);
  await tab.waitForFunction(() => Number(Reflect.get(globalThis, 'benchSeen')) > 0, undefined, {
    polling: 200,
  });
  await tab.waitForTimeout(SETTLE_MS);
  const ms = await tab.evaluate(() => Number(Reflect.get(globalThis, 'benchSeen')));
  await context.close();
  return ms;
}

/** Measures first visits on a slow phone and line over HTTP/2 and TLS, as CDNs serve the shop. */
export async function measureSlowLine(directories: readonly string[], rounds = ROUNDS): Promise<Row[]> {
  const line = openLine();
  const apiLine = openLine();
  const servers = await Promise.all(directories.map(serveOverTls));
  const sites = await Promise.all(servers.map(({ url }) => line.to(url)));
  const api = await startTestApi({ siteOrigins: sites });
  // In this Chromium, http://localhost:8044 is the API.
  const { host } = new URL(await apiLine.to(api.url));
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...chromiumArgs,
      `--host-resolver-rules=MAP localhost:8044 ${host}`,
      '--ignore-certificate-errors',
    ],
  });
  const client = createShopClient(api);
  const rows: Row[] = [];
  try {
    const product = (await client.products()).find(
      ({ price, sizes, colors }) => price > 0 && sizes.length + colors.length === 0,
    );
    for (const page of pagesOf(`/product/${product?.id}`)) {
      const visits = await inTurns(sites, rounds, (site) => visit({ browser, client }, site, page));
      const [value, other] = visits.map(median);
      const note = visits.map((times) => times.map(Math.round).join(' ')).join('; other ');
      const what = `${page.name}: ${page.purpose ? 'what it is for' : 'LCP'}`;
      rows.push({ what, unit: 'ms', value, other, note });
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
