/**
 * `npm run test:engines [-- firefox|webkit]`: the core journeys in the Firefox and the WebKitGTK of this machine, by
 * WebDriver; Playwright's own builds are not needed. Says plainly what is not there, and is content then.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { startApiProxy } from '#tests/support/api-proxy.ts';
import { buildOnce, testSite } from '#tests/support/build-site.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { type Browser, createShopper } from './driver.ts';
import { openFirefox } from './firefox.ts';
import { JOURNEYS } from './journeys.ts';
import { openWebKit } from './webkit.ts';

const FIREFOX = ['firefox-esr', 'firefox'];
const WEBKIT_DRIVER = ['WebKitWebDriver'];
const MINI_BROWSERS = ['x86_64', 'aarch64'].flatMap((machine) =>
  ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'].map(
    (version) => `/usr/lib/${machine}-linux-gnu/${version}/MiniBrowser`,
  ),
);
const PLACES = [...(process.env.PATH ?? '').split(delimiter), '/Applications/Firefox.app/Contents/MacOS'];

const onPath = (names: readonly string[]): string | undefined =>
  PLACES.flatMap((place) => names.map((name) => join(place, name))).find(existsSync);

/** WebKitGTK draws on a display; where there is none, one that nobody sees. */
function openDisplay(): (() => void) | undefined {
  const server = onPath(['Xvfb']);
  if (process.env.DISPLAY) return () => undefined;
  if (!server) return undefined;
  const display = `:${100 + (process.pid % 900)}`;
  const child = spawn(server, [display, '-screen', '0', '1280x900x24'], { stdio: 'ignore' });
  process.env.DISPLAY = display;
  return () => child.kill();
}

interface Engine {
  readonly missing: string;
  readonly open: ((proxy: string) => Promise<Browser>) | undefined;
}

const firefox = onPath(FIREFOX);
const driver = onPath(WEBKIT_DRIVER);
const miniBrowser = MINI_BROWSERS.find(existsSync);
const asked = process.argv.slice(2);
const isWanted = (name: string): boolean => asked.length === 0 || asked.includes(name);
const closeDisplay = isWanted('webkit') && driver && miniBrowser ? openDisplay() : undefined;

const ENGINES: Readonly<Record<string, Engine>> = {
  firefox: {
    missing: 'no Firefox here (Debian: apt-get install firefox-esr)',
    open: firefox ? (proxy) => openFirefox(firefox, proxy) : undefined,
  },
  webkit: {
    missing:
      'no WebKitGTK with its driver and a display here (Debian: apt-get install webkit2gtk-driver xvfb)',
    open:
      driver && miniBrowser && closeDisplay ? (proxy) => openWebKit(driver, miniBrowser, proxy) : undefined,
  },
};

const wanted = Object.keys(ENGINES).filter(isWanted);
if (wanted.length === 0) throw new Error(`There are: ${Object.keys(ENGINES).join(', ')}.`);
const runnable = wanted.filter((name) => ENGINES[name]?.open);
if (runnable.length > 0) await buildOnce();
const served = await serveSite({ directory: testSite, host: '127.0.0.1' });
let failed = 0;

/** Every journey in a browser of its own: nothing of another is left in it. */
async function runEngine(open: NonNullable<Engine['open']>): Promise<void> {
  const api = await startTestApi({ siteOrigins: [served.url] });
  const proxy = await startApiProxy(api.url);
  for (const [name, journey] of Object.entries(JOURNEYS)) {
    const browser = await open(proxy.url);
    const started = performance.now();
    let problem: string | undefined;
    try {
      await journey({ shopper: createShopper(browser, served.url), api, client: createShopClient(api) });
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      failed += 1;
    } finally {
      api.faults?.clear();
      await browser.close();
    }
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${problem ? '✗' : '✓'} ${browser.name} ${browser.version}: ${name} (${seconds} s)`);
    if (problem) console.log(`    ${problem}`);
  }
  await Promise.all([proxy.close(), api.close()]);
}

try {
  for (const name of wanted) {
    const engine = ENGINES[name];
    if (engine?.open) await runEngine(engine.open);
    else console.log(`- ${name}: skipped, ${engine?.missing}`);
  }
} finally {
  await served.close();
  closeDisplay?.();
}
process.exitCode = failed === 0 ? 0 : 1;
