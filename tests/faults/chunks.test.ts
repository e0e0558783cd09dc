import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const SCRIPT_OF_PAGE = /\/_astro\/track-order\.[^/]+\.js$/;

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

test('[fault 89] the script of a page that stays gone ends in a Reload button, and the page can be read', async ({
  page,
}) => {
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
