import type { Page } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { untilPainted, untilQuiet } from '#tests/support/page.ts';

/* An open page after a newer release has replaced its scripts. */

const SCRIPT_OF_PAGE = /\/_astro\/Track\.[^/]+\.js$/;

test.beforeEach(({ allowConsoleErrors }) =>
  allowConsoleErrors(FAILED_REQUEST, /dynamically imported module/),
);

test('a missing script causes one reload, then a Reload button', async ({ page }) => {
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.route(SCRIPT_OF_PAGE, (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto('/track-order');
  const reload = page.getByRole('button', { name: 'Reload' });
  await expect(page.getByRole('alert').filter({ has: reload })).toBeVisible();
  expect(documents).toBe(2);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.unroute(SCRIPT_OF_PAGE);
  await reload.click();
  await expect(page.getByRole('textbox', { name: 'Order Number' })).toBeEditable();
  await expect(reload).toHaveCount(0);
});

/** Simulates a failed import in Safari, whose error does not name the script. */
const failImport = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const payload = new TypeError('Importing a module script failed.');
    dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  });

/** Opens a page with a mark that disappears on a reload. */
async function openWatched(page: Page): Promise<void> {
  await page.goto('/contact');
  await untilQuiet(page);
  await page.evaluate(() => {
    document.body.dataset.marked = 'yes';
    navigation.addEventListener('navigate', () => delete document.body.dataset.marked);
  });
}

const marked = (page: Page) => page.locator('body[data-marked]');

test('a failed import without a name reloads the page once, if a script is missing', async ({ page }) => {
  await openWatched(page);
  const scripts = await page.evaluate(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => name);
    return new Set(names.filter((name) => /\/_astro\/.*\.js$/.test(name))).size;
  });
  expect(scripts).toBeGreaterThan(0);
  let answers = 0;
  page.on('response', (response) => {
    if (response.request().method() === 'HEAD') answers += 1;
  });
  await failImport(page);
  await expect.poll(() => answers).toBe(scripts);
  await untilPainted(page);
  await expect(marked(page)).toHaveCount(1);

  await page.route(/\/_astro\/.*\.js$/, (route) =>
    route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
  );
  const reloaded = page.waitForEvent('load');
  await failImport(page);
  await reloaded;
  await expect(marked(page)).toHaveCount(0);
  await openWatched(page);
  await failImport(page);
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await expect(marked(page)).toHaveCount(1);
});
