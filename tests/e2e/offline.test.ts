import { copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { API_ORIGIN } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { untilPainted } from '#tests/support/page.ts';

/* Some tests change the served site. */
test.use({ serviceWorkers: 'allow', ownSite: true });

/** The worker is registered 3 s after the load and then caches the current page. */
const openWithWorker = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
};

const untilStored = (page: Page, path: string, isStored = true): Promise<void> =>
  expect
    .poll(() => page.evaluate(async (address) => (await caches.match(address)) !== undefined, path))
    .toBe(isStored);

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

// tests/engines opens visited pages offline, in every engine.
test('offline, the cart opens that was never visited, and another page by itself once the network is back', async ({
  page,
  context,
}) => {
  await openWithWorker(page);
  await untilStored(page, '/cart');
  await context.setOffline(true);
  await page.goto('/cart');
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  await page.goto('/contact');
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible();
  await expect(page).toHaveURL('/contact');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeVisible();
});

test('a wrong response that is stored as a script is replaced', async ({ page }) => {
  await openWithWorker(page);
  await page.goto('/cart');
  const scripts = () =>
    page.evaluate(async () => {
      const code = await caches.open('fresh-fruits.code');
      const stored = await code.keys();
      return stored.map(({ url }) => url).filter((url) => url.endsWith('.js'));
    });
  await expect.poll(scripts).not.toEqual([]);
  const [script = ''] = await scripts();
  const type = await page.evaluate(async (address) => {
    const code = await caches.open('fresh-fruits.code');
    const signIn = new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } });
    await code.put(address, signIn);
    return (await fetch(address)).headers.get('content-type');
  }, script);
  expect(type).toContain('javascript');
});

test('data saver prevents background requests', async ({ page }) => {
  // The switch would be pressed after the first page has begun its background work (later-pages.test.ts presses it).
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  const toApi: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(API_ORIGIN)) toApi.push(request.url());
  });
  // The worker is registered after all background work.
  await openWithWorker(page);
  await untilStored(page, '/');
  expect(toApi).toEqual([]);
  expect(await page.evaluate(async () => (await caches.match('/cart')) === undefined)).toBe(true);
});

test('shows a banner within a second, also at the sign-in', async ({ page, context }) => {
  await page.clock.install();
  for (const path of ['/', '/login']) {
    await page.clock.resume();
    await page.goto(path);
    const banner = page.getByRole('status').filter({ hasText: 'You seem to be offline' });
    await page.waitForFunction(() => document.querySelector('.offline-banner'));
    // Measures the page's own clock, so that a slow machine does not matter.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await page.evaluate(() =>
      addEventListener('offline', () => document.body.setAttribute('data-noticed', '')),
    );
    await context.setOffline(true);
    await expect(page.locator('[data-noticed]')).toBeAttached();
    await page.clock.runFor(1_000);
    await expect(banner).toBeVisible();
    const shift = await page.evaluate(() => document.querySelector('main')?.getBoundingClientRect().top);
    await context.setOffline(false);
    await expect(banner).toBeHidden();
    expect(await page.evaluate(() => document.querySelector('main')?.getBoundingClientRect().top)).toBe(
      shift,
    );
  }
});

test('back online, the page fetches its data once', async ({ page, context }) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/products')) requests.push(request.url());
  });
  const first = page.waitForResponse(/\/api\/v1\/products\?/);
  await page.goto('/');
  await first;
  await context.setOffline(true);
  await expect(page.getByText('You seem to be offline.')).toBeVisible();
  requests.length = 0;
  const second = page.waitForResponse(/\/api\/v1\/products\?/);
  await context.setOffline(false);
  await second;
  await untilPainted(page);
  expect(requests).toHaveLength(1);
});

const edit = async (file: string, change: (text: string) => string): Promise<void> =>
  writeFile(file, change(await readFile(file, 'utf8')));

test.describe('releases', () => {
  // These tests change the shared served site.
  test.describe.configure({ mode: 'serial' });

  test('online, a page is the cached copy only after 3 s of silence', async ({ page, context, shop }) => {
    await openWithWorker(page);
    await page.goto('/contact');
    await untilStored(page, '/contact');
    // On a stalled machine the network may take over 3 s. The cached copy is then correct, and the page is opened again.
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
    await page.goto('/');
    await context.route('**/contact', () => new Promise(() => {}));
    await page.goto('/contact', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('listing data is cached until the listing changes', async ({ page, context, shop }) => {
    await openWithWorker(page);
    const first = page.locator('.results .card h3').first();
    await page.goto('/products?page=2');
    await expect(first).toBeVisible();
    await untilStored(page, '/listing/all/2.json');
    await untilStored(page, '/products');
    const name = await first.textContent();
    await context.setOffline(true);
    await page.goto('/products?page=2');
    await expect(first).toHaveText(name ?? '');

    await context.setOffline(false);
    await edit(join(shop.directory, 'products.html'), (html) =>
      html.replace('</body>', '<!-- new --></body>'),
    );
    await page.goto('/products');
    await untilStored(page, '/listing/all/2.json', false);
    await context.setOffline(true);
    await page.goto('/products?page=2');
    await expect(page.getByText('Failed to load products. Please try again.')).toBeVisible();
  });

  test('sw-kill.js removes the worker and its caches', async ({ page, context, shop }) => {
    await openWithWorker(page);
    await untilStored(page, '/');
    await rename(join(shop.directory, 'sw.js'), join(shop.directory, 'sw-was.js'));
    await copyFile(join(shop.directory, 'sw-kill.js'), join(shop.directory, 'sw.js'));
    await page.goto('/contact');
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    await context.setOffline(true);
    await expect(page.goto('/')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    await rename(join(shop.directory, 'sw-was.js'), join(shop.directory, 'sw.js'));
  });
});
