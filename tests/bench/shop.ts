import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { type SiteServer, serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { chromiumArgs, findChromium } from '#tests/support/find-chromium.ts';
import { createShopClient, type ShopClient } from '#tests/support/shop-client.ts';
import { HERE, npm } from './commits.ts';
import { worsen } from './worse/worsen.ts';

/** What the benches use: the built sites, the API that they share, and one Chromium. */
export interface BenchShop {
  /** The address of this build, and of the other commit's build if there is one to compare with. */
  readonly sites: readonly [string, ...string[]];
  /** The folders of these sites. */
  readonly directories: readonly string[];
  readonly apiUrl: string;
  readonly client: ShopClient;
  readonly browser: Browser;
  /** Chromium's remote debugging port. */
  readonly debuggingPort: number;
  /** Two products without options. */
  readonly productPath: string;
  readonly otherProductPath: string;
  /** A product that asks for a size. */
  readonly sizedPath: string;
  close(): Promise<void>;
}

export interface ShopOptions {
  /** Serves this build worse on purpose: every figure of a page must then miss its bar. */
  readonly worse?: boolean;
  /** The folder of another commit, with its packages installed. */
  readonly other?: string | undefined;
}

const DEBUGGING_PORT = 9_333;
const SITE = '.cache/test-dist';
const REACH_API = new URL('../support/reach-api.ts', import.meta.url).href;

/** Builds a commit's shop by its own command, for localhost and with idempotency keys. Returns the site's folder. */
async function build(folder: string, api: string): Promise<string> {
  const target = join(folder, SITE);
  await npm(folder, ['run', '--silent', 'build'], {
    OUT_DIR: target,
    PUBLIC_API_HOST: '',
    PUBLIC_IDEMPOTENCY_KEYS: 'true',
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${REACH_API}`,
    REACH_API: api,
  });
  return target;
}

/** Launches a Chromium in which http://localhost:8044 is the API at `apiUrl`. */
export function launchBrowser(
  apiUrl: string,
  { args = [], ...options }: LaunchOptions = {},
): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...chromiumArgs, `--host-resolver-rules=MAP localhost:8044 ${new URL(apiUrl).host}`, ...args],
    ...options,
  });
}

export async function openShop({ worse = false, other }: ShopOptions = {}): Promise<BenchShop> {
  const builder = await startTestApi();
  const builtSite = process.env.SITE_DIST || (await build(HERE, builder.url));
  const servedSite = worse ? worsen(builtSite) : builtSite;
  const directories = other ? [servedSite, await build(other, builder.url)] : [servedSite];
  await builder.close();

  const servers: SiteServer[] = [];
  for (const directory of directories) servers.push(await serveSite({ directory, host: '127.0.0.1' }));
  const [site = '', ...others] = servers.map(({ url }) => url);
  const api = await startTestApi({ siteOrigins: [site, ...others] });
  const browser = await launchBrowser(api.url, { args: [`--remote-debugging-port=${DEBUGGING_PORT}`] });
  const client = createShopClient(api);
  const products = await client.products();
  const plain = products.filter(
    ({ price, sizes, colors }) => price > 0 && sizes.length + colors.length === 0,
  );
  const sized = products.find(({ sizes }) => sizes.length > 1);
  const path = (product: { id: string } | undefined): string => {
    if (!product) throw new Error('The demo catalogue has no such product.');
    return `/product/${product.id}`;
  };
  return {
    sites: [site, ...others],
    directories,
    apiUrl: api.url,
    client,
    browser,
    debuggingPort: DEBUGGING_PORT,
    productPath: path(plain[0]),
    otherProductPath: path(plain[1]),
    sizedPath: path(sized),
    close: async () => {
      await browser.close();
      await Promise.all([api.close(), ...servers.map((server) => server.close())]);
      if (worse) rmSync(servedSite, { recursive: true, force: true });
    },
  };
}
