import { API_ORIGIN } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ serviceWorkers: 'allow' });

test('data saver keeps the pages from fetching what nobody asked for', async ({ page }) => {
  await page.goto('/contact');
  const control = page.getByRole('switch', { name: 'Data saver' });
  await expect(control).not.toBeChecked();
  await control.click();
  await expect(control).toBeChecked();
  await expect(page.getByText('Data saver is on')).toBeVisible();

  const toApi: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(API_ORIGIN)) toApi.push(request.url());
  });
  await page.goto('/');
  await expect(control).toBeChecked();
  // The worker itself comes 3 s after the load, later than any quiet work, and keeps the page that was opened.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const isKept = (path: string) =>
    page.evaluate(async (address) => (await caches.match(address)) !== undefined, path);
  await expect.poll(() => isKept('/')).toBe(true);
  expect(toApi).toEqual([]);
  expect(await isKept('/cart')).toBe(false);
});
