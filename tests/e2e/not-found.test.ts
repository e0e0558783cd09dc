import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('[spec 2.notfound.1, 2.notfound.2] an unknown address is a 404 with the way home', async ({ page }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
  await expect(page).toHaveURL(/\/no\/such\/page$/);
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

for (const path of ['/imprint', '/refunds', '/404', '/constructor']) {
  test(`[spec 2.notfound.3] ${path} becomes /404`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveURL(/\/404$/);
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  });
}
