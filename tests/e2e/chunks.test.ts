import type { Page } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { untilPainted, untilQuiet } from '#tests/support/page.ts';

const SCRIPT_OF_PAGE = /\/_astro\/Track\.[^/]+\.js$/;

test.beforeEach(({ allowConsoleErrors }) =>
  allowConsoleErrors(FAILED_REQUEST, /dynamically imported module/),
);

test('[fault 89] the script of a page that is gone once is fetched by one reload', async ({ page }) => {
  let asked = 0;
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.route(SCRIPT_OF_PAGE, (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue();
  });
  await page.goto('/track-order');
  await expect(page.getByRole('textbox', { name: 'Order Number' })).toBeEditable();
  await page.getByRole('textbox', { name: 'Order Number' }).fill('1');
  await expect(page.getByRole('button', { name: 'Reload' })).toHaveCount(0);
  expect(loads).toBeLessThanOrEqual(2);
});

test('[fault 89] a script that stays gone ends in a Reload button', async ({ page }) => {
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.route(SCRIPT_OF_PAGE, (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto('/track-order');
  await expect(page.getByRole('alert').getByRole('button', { name: 'Reload' })).toBeVisible();
  expect(documents).toBe(2);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.unroute(SCRIPT_OF_PAGE);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('textbox', { name: 'Order Number' })).toBeEditable();
  await expect(page.getByRole('button', { name: 'Reload' })).toHaveCount(0);
});

/** An import that failed, as the browsers tell of it: Chromium and Firefox name the script, Safari says nothing. */
const failImport = (page: Page, message: string): Promise<void> =>
  page.evaluate((text) => {
    const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), {
      payload: new TypeError(text),
    });
    dispatchEvent(event);
  }, message);

const SAFARI = 'Importing a module script failed.';

/** Opens a page that tells itself from the one a reload would bring, and from itself once it is asked to reload. */
async function openWatched(page: Page): Promise<void> {
  await page.goto('/contact');
  await untilQuiet(page);
  await page.evaluate(() => {
    document.body.dataset.kept = 'yes';
    navigation.addEventListener('navigate', () => delete document.body.dataset.kept);
  });
}

const kept = (page: Page) => page.locator('body[data-kept]');

const scriptsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    ...new Set(
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /\/_astro\/.*\.js$/.test(name)),
    ),
  ]);

test('[fault 89] a failed import reloads nothing while every script is there', async ({ page }) => {
  await openWatched(page);
  const answers = (await scriptsOf(page)).map((script) =>
    page.waitForResponse((response) => response.url() === script && response.request().method() === 'HEAD'),
  );
  expect(answers).not.toEqual([]);
  await failImport(page, SAFARI);
  await Promise.all(answers);
  await untilPainted(page);
  await expect(kept(page)).toHaveCount(1);
});

test('[fault 89] an unnamed script that is gone reloads the page once', async ({ page }) => {
  await openWatched(page);
  await page.route(/\/_astro\/.*\.js$/, (route) =>
    route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await failImport(page, SAFARI);
  await expect(kept(page)).toHaveCount(0);
  await openWatched(page);
  await failImport(page, SAFARI);
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await expect(kept(page)).toHaveCount(1);
});
