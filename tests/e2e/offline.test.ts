import type { BrowserContext, Page } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { untilPainted } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { isPlain } from '#tests/support/samples.ts';

test.use({ serviceWorkers: 'allow' });

/** The worker is registered 3 s after the load and then keeps the page it came with. */
const workerReady = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
};

const kept = (page: Page, path: string): Promise<boolean> =>
  page.evaluate(async (address) => (await caches.match(address)) !== undefined, path);

const untilKept = (page: Page, path: string): Promise<void> => expect.poll(() => kept(page, path)).toBe(true);

const goOffline = (context: BrowserContext): Promise<void> => context.setOffline(true);

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('[fault 18] a visited page opens, also the first', async ({ page, context, api }) => {
  const { id, name } = await api.product(isPlain);
  await page.goto('/');
  await workerReady(page);
  await untilKept(page, '/');
  await page.goto(`/product/${id}`);
  await untilKept(page, `/product/${id}`);
  await goOffline(context);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`/product/${id}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});

test('[fault 18] a cart that was never opened works', async ({ page, context, filledCart }) => {
  await page.goto('/');
  await workerReady(page);
  await untilKept(page, '/cart');
  const [line] = filledCart;
  await goOffline(context);
  await page.goto('/cart');
  await expect(page.getByText(line?.name ?? '').first()).toBeVisible();
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await expect(page.getByRole('link', { name: 'Cart, 3 items' }).first()).toBeVisible();
});

test('a page that was never opened says so, and lists what does open', async ({ page, context }) => {
  await page.goto('/');
  await workerReady(page);
  await untilKept(page, '/');
  await goOffline(context);
  await page.goto('/contact');
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible();
  await expect(page).toHaveURL('/contact');
  await expectNoAxeFindings(page);
  await expect(page.getByRole('listitem').getByRole('link', { name: /Fresh/ })).toHaveAttribute('href', '/');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeVisible();
});

test('[fault 18] shows a banner within a second, also at the sign-in', async ({ page, context }) => {
  await page.clock.install();
  for (const path of ['/', '/login']) {
    await page.clock.resume();
    await page.goto(path);
    const banner = page.getByRole('status').filter({ hasText: 'You are offline' });
    await page.waitForFunction(() => document.querySelector('.offline-banner'));
    // The page's own second, however slow the machine: what would come later does not come at all.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await goOffline(context);
    await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
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

test('[fault 18] back online, the page asks the API once for what it shows', async ({ page, context }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/products')) asked.push(request.url());
  });
  const first = page.waitForResponse(/\/api\/v1\/products\?/);
  await page.goto('/');
  await first;
  await goOffline(context);
  await expect(page.getByText('You are offline.')).toBeVisible();
  asked.length = 0;
  const second = page.waitForResponse(/\/api\/v1\/products\?/);
  await context.setOffline(false);
  await second;
  await untilPainted(page);
  expect(asked).toHaveLength(1);
});
