import type { Page, Request } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { hold, untilPainted, untilQuiet } from '#tests/support/page.ts';

/* An open page after a newer release has replaced its scripts. */

const SCRIPT = /\/_astro\/.*\.js$/;
const SCRIPT_OF_PAGE = /\/_astro\/Track\.[^/]+\.js$/;

test.beforeEach(({ allowConsoleErrors }) =>
  allowConsoleErrors(FAILED_REQUEST, /dynamically imported module/),
);

function countDocuments(page: Page): () => number {
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  return () => documents;
}

test('a missing script causes one reload, then a Reload button', async ({ page }) => {
  const documents = countDocuments(page);
  await page.route(SCRIPT_OF_PAGE, (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto('/track-order');
  const reload = page.getByRole('button', { name: 'Reload' });
  await expect(page.getByRole('alert').filter({ has: reload })).toBeVisible();
  expect(documents()).toBe(2);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.unroute(SCRIPT_OF_PAGE);
  await reload.click();
  await expect(page.getByRole('textbox', { name: 'Order Number' })).toBeEditable();
  await expect(reload).toHaveCount(0);
});

const isCheck = (request: Request): boolean =>
  request.resourceType() === 'fetch' && SCRIPT.test(request.url());

test('an error event of a script that runs, or of a foreign one, causes no reload and no note', async ({
  page,
}) => {
  const documents = countDocuments(page);
  await page.goto('/track-order');
  const number = page.getByRole('textbox', { name: 'Order Number' });
  await number.fill('FF-1');
  // Firefox fires it for a preload of a script that the page has already requested.
  await page.evaluate(() => {
    document.head.append(document.createElement('script'));
    for (const script of document.querySelectorAll('head script, [data-island]'))
      script.dispatchEvent(new Event('error'));
    dispatchEvent(new Event('online'));
  });
  await untilPainted(page);
  await expect(number).toHaveValue('FF-1');
  await expect(page.getByText('could not be loaded')).toHaveCount(0);
  expect(documents()).toBe(1);
});

test('a missing script never reloads a page in which something was typed', async ({ page }) => {
  const documents = countDocuments(page);
  const fail = await hold(page, SCRIPT_OF_PAGE, (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto('/track-order', { waitUntil: 'commit' });
  const number = page.getByRole('textbox', { name: 'Order Number' });
  await number.fill('FF-1');
  fail();
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await untilPainted(page);
  await expect(number).toHaveValue('FF-1');
  expect(documents()).toBe(1);
});

/** Simulates a failed import in Safari, whose error does not name the script. Returns how many scripts the page has then. */
const failImport = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const payload = new TypeError('Importing a module script failed.');
    dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
    const names = performance.getEntriesByType('resource').map(({ name }) => name);
    return new Set(names.filter((name) => /\/_astro\/.*\.js$/.test(name))).size;
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
  let answers = 0;
  page.on('response', (response) => {
    if (isCheck(response.request())) answers += 1;
  });
  const scripts = await failImport(page);
  expect(scripts).toBeGreaterThan(0);
  await expect.poll(() => answers).toBe(scripts);
  await untilPainted(page);
  await expect(marked(page)).toHaveCount(1);

  await page.route(SCRIPT, (route) =>
    isCheck(route.request()) ? route.fulfill({ status: 404 }) : route.continue(),
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
