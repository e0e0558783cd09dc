import { copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

test.use({ serviceWorkers: 'allow', ownSite: true });
// They change the one site that is served.
test.describe.configure({ mode: 'serial' });

const workerReady = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

const untilKept = (page: Page, path: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(async (address) => (await caches.match(address)) !== undefined, path))
    .toBe(true);

const edit = async (file: string, change: (text: string) => string): Promise<void> =>
  writeFile(file, change(await readFile(file, 'utf8')));

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('[fault 90] online, a page is never the one that was kept', async ({ page, shop }) => {
  await page.goto('/');
  await workerReady(page);
  await page.goto('/contact');
  await untilKept(page, '/contact');
  // On a machine that stands still the line may answer nothing for 3 s: then the kept one is right, and it is opened again.
  let isFresh = false;
  for (let edition = 1; !isFresh; edition += 1) {
    await edit(join(shop.directory, 'contact.html'), (html) =>
      html.replace(/<h1>(?:Edition \d+: )?/, `<h1>Edition ${edition}: `),
    );
    const started = performance.now();
    await page.goto('/contact');
    const heading = await page.getByRole('heading', { level: 1 }).textContent();
    isFresh = heading?.startsWith(`Edition ${edition}: `) ?? false;
    if (!isFresh) expect(performance.now() - started).toBeGreaterThan(3_000);
  }
});

test('a line that answers nothing for 3 s gets the page that was kept', async ({ page, context }) => {
  await page.goto('/');
  await workerReady(page);
  await page.goto('/about');
  await untilKept(page, '/about');
  await page.goto('/');
  await context.route('**/about', () => new Promise(() => {}));
  await page.goto('/about', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
});

test('[fault 90] a listing page opens until it has changed', async ({ page, context, shop }) => {
  await page.goto('/');
  await workerReady(page);
  const first = page.locator('.results .card h3').first();
  await page.goto('/products?page=2');
  await expect(first).toBeVisible();
  await untilKept(page, '/listing/all/2.json');
  await untilKept(page, '/products');
  const name = await first.textContent();
  await context.setOffline(true);
  await page.goto('/products?page=2');
  await expect(first).toHaveText(name ?? '');

  await context.setOffline(false);
  await edit(join(shop.directory, 'products.html'), (html) => html.replace('</body>', '<!-- new --></body>'));
  await page.goto('/products');
  await context.setOffline(true);
  await page.goto('/products?page=2');
  await expect(page.getByText('Failed to load products. Please try again.')).toBeVisible();
});

test('[fault 90] sw-kill.js ends the worker and its caches', async ({ page, context, shop }) => {
  await page.goto('/');
  await workerReady(page);
  await untilKept(page, '/');
  await rename(join(shop.directory, 'sw.js'), join(shop.directory, 'sw-was.js'));
  await copyFile(join(shop.directory, 'sw-kill.js'), join(shop.directory, 'sw.js'));
  await page.goto('/contact');
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  await context.setOffline(true);
  await expect(page.goto('/')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await rename(join(shop.directory, 'sw-was.js'), join(shop.directory, 'sw.js'));
});
