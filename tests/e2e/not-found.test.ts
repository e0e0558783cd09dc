import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('[spec 2.notfound.1, 2.notfound.2] an unknown address is a 404 with the way home', async ({ page }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
  await expect(page).toHaveURL(/\/no\/such\/page$/);
  await expectNoAxeFindings(page);
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

test('an unknown page says nothing of passwords', async ({ page }) => {
  await page.goto('/imprint');
  await expect(page.getByText('Passwords cannot be reset online.')).toBeHidden();
});

test('[spec 2.notfound.5] reserved words that are pages open their page', async ({ page }) => {
  for (const path of ['/cart', '/login', '/register', '/products', '/contact', '/track-order']) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expect(page, path).toHaveURL(new RegExp(`${path}$`));
  }
});

test('[spec 2.routes.5] /products/{id} leads to the product', async ({ page, api }) => {
  const { id, name } = await api.product(({ price }) => price > 0);
  await page.goto(`/products/${id}`);
  await expect(page).toHaveURL(new RegExp(`/product/${id}$`));
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('[spec 2.notfound.1] the message and the way home are there', async ({ page }) => {
    await page.goto('/imprint');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
    await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible();
  });
});
