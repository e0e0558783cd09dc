import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { finishSite } from '#scripts/publish/finish.ts';
import { publish } from '#scripts/publish/publish.ts';
import { readSiteSettings } from '#scripts/settings/settings.ts';
import {
  isInstalled,
  startBuiltIn,
  startCaddy,
  startNginx,
  type WebServer,
} from '#tests/publish/support/web-servers.ts';
import { testSite } from '#tests/support/build-site.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const SHOP = { PUBLIC_API_HOST: 'http://localhost:8044' };

/** Publishes the site under test, as it was built. */
async function publishTestSite(root: string): Promise<void> {
  await publish({
    root,
    env: SHOP,
    allowHeavy: true,
    build: async (directory) => {
      await cp(testSite, directory, { recursive: true });
      return finishSite(directory, readSiteSettings(SHOP));
    },
  });
}

/** What the browser says of the page that is open. */
const delivery = (page: Page) =>
  page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    const { encodedBodySize, contentEncoding } = entry as PerformanceNavigationTiming & {
      contentEncoding: string;
    };
    return { encodedBodySize, contentEncoding };
  });

const dictionaryLink = (page: Page) => page.locator('link[rel=compression-dictionary]');

/** Waits until the browser has what the page asks it to keep. */
async function untilHeld(page: Page): Promise<void> {
  await expect(dictionaryLink(page)).toHaveCount(1);
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/_astro/dictionary.')),
  );
}

const servers = [
  ['the built-in server', startBuiltIn, true],
  ['nginx', startNginx, isInstalled('nginx', '-v')],
  ['Caddy', startCaddy, isInstalled('caddy', 'version')],
] as const;

/** The API knows no such address. */
const REFUSED = /CORS policy|Failed to load resource/;

test.describe('a release', () => {
  test.describe.configure({ mode: 'default' });
  let folder: string;
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dictionary-'));
    await publishTestSite(folder);
  });
  test.afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Serves the release, or what stands in another folder like it. */
  async function serving(
    start: (typeof servers)[number][1],
    release: string,
    visit: (server: WebServer) => Promise<void>,
  ): Promise<void> {
    const home = await mkdtemp(join(folder, 'server-'));
    const server = await start(home, release);
    try {
      await visit(server);
    } finally {
      await server.stop();
    }
  }

  for (const [name, start, installed] of servers) {
    test(`${name} sends later pages in some hundred bytes`, async ({ page, api, allowConsoleErrors }) => {
      test.skip(!installed, `${name} is not installed`);
      allowConsoleErrors(REFUSED);
      const { id } = await api.product(({ sizes }) => sizes.length > 1);
      const visits = [
        { path: '/', file: 'index.html', most: Number.POSITIVE_INFINITY },
        { path: `/product/${id}`, file: `product/${id}.html`, most: 1_320 },
        { path: '/products?category=berries&page=1', file: 'products.html', most: 2_200 },
        { path: '/terms', file: 'terms.html', most: 3_300 },
        { path: '/cart', file: 'cart.html', most: 3_850 },
      ];
      await serving(start, join(folder, 'current'), async ({ url }) => {
        for (const { path, file, most } of visits) {
          const response = await page.goto(url + path);
          const plain = await readFile(join(folder, 'current/site', file));
          expect((await response?.body())?.equals(plain), path).toBe(true);
          const { encodedBodySize, contentEncoding } = await delivery(page);
          expect(encodedBodySize, path).toBeLessThanOrEqual(most);
          if (path === '/') await untilHeld(page);
          else expect([path, contentEncoding]).toEqual([path, 'dcz']);
        }
      });
    });
  }
});

test('[fault 110] with data saver none is fetched; a cached one is used', async ({ page }) => {
  await page.goto('/contact');
  await untilHeld(page);
  await page.getByRole('switch', { name: 'Data saver' }).click();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/terms');
  await expect(page.getByRole('switch', { name: 'Data saver' })).toBeChecked();
  expect((await delivery(page)).contentEncoding).toBe('dcz');
  // Longer than quiet work may take to begin.
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 5_000 })));
  await expect(dictionaryLink(page)).toHaveCount(0);
  expect(asked.filter((url) => /dictionary|build-info/.test(url))).toEqual([]);
});
