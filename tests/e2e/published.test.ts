import { expect, test } from '#tests/support/fixtures.ts';

const INFO = {
  release: '000007-20250405-100000',
  publishedAt: '2025-04-05T10:00:00Z',
  catalogueHash: 'x',
  products: 7,
  pages: 30,
};

test('the footer tells when the catalogue was published, without a shift', async ({ page }) => {
  await page.route('**/build-info.json', (route) => route.fulfill({ json: INFO }));
  await page.goto('/contact');
  const line = page.locator('[data-catalogue-date]');
  const before = await line.boundingBox();
  await expect(line).toHaveText('Catalogue updated 5 April 2025 at 3:30 pm');
  expect((await line.boundingBox())?.height).toBe(before?.height);
});

test('the API test tells how far the API has moved on since', async ({ page }) => {
  await page.route('**/build-info.json', (route) => route.fulfill({ json: INFO }));
  await page.goto('/api-test');
  await expect(
    page.getByText(/^Published 5 April 2025 at 3:30 pm with 7 products\. The API has \d+ now\.$/),
  ).toBeVisible();
});

test('a site that was only built tells nothing of it', async ({ page }) => {
  const asked = page.waitForResponse('**/build-info.json');
  await page.goto('/contact');
  expect((await asked).status()).toBe(200);
  await expect(page.locator('[data-catalogue-date]')).toHaveText('');
});
