import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { finishSite } from '#scripts/publish/finish.ts';
import { publish } from '#scripts/publish/publish.ts';
import { readSiteSettings } from '#scripts/publish/site-settings.ts';
import {
  isInstalled,
  startBuiltIn,
  startCaddy,
  startNginx,
  type WebServer,
} from '#tests/publish/support/web-servers.ts';
import { testSite } from '#tests/support/build-site.ts';
import { expect, test } from '#tests/support/fixtures.ts';

/** Bytes of a product's page that is not the first of a visit; without a dictionary it is 9 KiB. */
const FURTHER_PAGE = 1_320;
const SHOP = { PUBLIC_API_HOST: 'http://localhost:8044' };

/** Publishes the site under test, as it was built. */
async function publishTestSite(root: string): Promise<string> {
  await publish({
    root,
    env: SHOP,
    allowHeavy: true,
    build: async (directory) => {
      await cp(testSite, directory, { recursive: true });
      return { ...(await finishSite(directory, readSiteSettings(SHOP))), broughtBack: 0 };
    },
  });
  return join(root, 'current');
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

test.describe.configure({ mode: 'default' });

for (const [name, start, installed] of servers) {
  test.describe(`by ${name}`, () => {
    test.skip(!installed, `${name} is not installed`);
    let folder: string;
    let server: WebServer;
    test.beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dictionary-'));
      server = await start(folder, await publishTestSite(folder));
    });
    test.afterAll(async () => {
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test('each later page comes in some hundred bytes, and is byte for byte the page', async ({
      page,
      api,
    }) => {
      const { id } = await api.product(({ sizes }) => sizes.length > 1);
      for (const [path, file] of [
        ['/', 'index.html'],
        [`/product/${id}`, `product/${id}.html`],
        ['/products?category=berries&page=1', 'products.html'],
        ['/terms', 'terms.html'],
        ['/cart', 'cart.html'],
      ]) {
        const response = await page.goto(server.url + path);
        const plain = await readFile(join(folder, 'current/site', `${file}`));
        expect((await response?.body())?.equals(plain), path).toBe(true);
        const { encodedBodySize, contentEncoding } = await delivery(page);
        if (path === '/') {
          expect(contentEncoding).not.toBe('dcz');
          await untilHeld(page);
        } else {
          expect([path, contentEncoding]).toEqual([path, 'dcz']);
          expect(encodedBodySize).toBeLessThan(path === `/product/${id}` ? FURTHER_PAGE : 3_850);
        }
      }
    });

    test('no page does where the server does not say what the file is for', async ({ page }) => {
      for (const file of ['site/_headers', 'nginx-http.conf', 'nginx-server.conf', 'Caddyfile']) {
        const path = join(folder, 'current', file);
        await writeFile(path, (await readFile(path, 'utf8')).replaceAll('Use-As-Dictionary', 'X-Nothing'));
      }
      await server.stop();
      await rm(join(folder, 'nginx'), { recursive: true, force: true });
      server = await start(folder, join(folder, 'current'));
      await page.goto(server.url);
      await untilHeld(page);
      const response = await page.goto(`${server.url}/terms`);
      expect(response?.request().headers()['available-dictionary']).toBeUndefined();
      const { encodedBodySize, contentEncoding } = await delivery(page);
      expect(contentEncoding).not.toBe('dcz');
      expect(encodedBodySize).toBeGreaterThan(3_850);
    });
  });
}

test.describe('with the worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a page comes through it, compressed with the dictionary, which it does not keep', async ({
    page,
    shop,
  }) => {
    await page.goto('/contact');
    await untilHeld(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const response = await page.goto('/terms');
    expect((await delivery(page)).contentEncoding).toBe('dcz');
    expect((await response?.body())?.equals(await readFile(join(shop.directory, 'terms.html')))).toBe(true);
    const kept = await page.evaluate(async () => {
      const held = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      );
      return held.flat().map(({ url }) => url);
    });
    expect(kept.filter((url) => url.includes('dictionary'))).toEqual([]);
  });
});

test('[fault 110] none is fetched while data is saved; one that is held is used all the same', async ({
  page,
}) => {
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

test('[fault 110] a browser without the feature fetches none', async ({ page }) => {
  await page.addInitScript(() => {
    const { supports } = DOMTokenList.prototype;
    DOMTokenList.prototype.supports = function supportsLess(token) {
      return token !== 'compression-dictionary' && supports.call(this, token);
    };
  });
  await page.goto('/contact');
  await page.waitForResponse('**/build-info.json');
  await expect(page.getByRole('switch', { name: 'Data saver' })).toBeVisible();
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  await expect(dictionaryLink(page)).toHaveCount(0);
});
