import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

// The small build of Chromium knows no speculation rules.
test.use({ backForwardCache: true });

const rules = (page: Page) => page.locator('script[type=speculationrules]');

/** Addresses that the browser fetches before anybody asks for them. */
function fetchedAhead(page: Page): string[] {
  const ahead: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['sec-purpose']) ahead.push(new URL(request.url()).pathname);
  });
  return ahead;
}

test('fetches what is in sight ahead once the dictionary is there, four pages at most', async ({ page }) => {
  const ahead = fetchedAhead(page);
  await page.goto('/products');
  await expect(page.locator('link[rel=compression-dictionary]')).toHaveCount(1);
  const seen = page.locator('main a[data-ahead]');
  await expect(seen).not.toHaveCount(0);
  await page.locator('.results .card').last().scrollIntoViewIfNeeded();
  await expect(seen).toHaveCount(4);
  await page.locator('.results .card').nth(5).scrollIntoViewIfNeeded();
  await expect.poll(() => new Set(ahead).size).toBe(4);
  const [first] = ahead.filter((path) => path.startsWith('/product/'));
  await page.locator(`main h3 a[href="${first}"]`).click();
  await page.waitForURL(`**${first}`);
  const { deliveryType, encodedBodySize } = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return entry as PerformanceNavigationTiming & { deliveryType: string };
  });
  expect(deliveryType).toBe('navigational-prefetch');
  expect(encodedBodySize).toBeLessThan(1_320);
});

test('nothing is fetched ahead while data is saved, and again when it is not', async ({ page }) => {
  await page.goto('/contact');
  const control = page.getByRole('switch', { name: 'Data saver' });
  await control.click();
  await expect(control).toBeChecked();
  await expect(rules(page)).toHaveCount(0);
  await page.reload();
  await expect(control).toBeChecked();
  await expect(rules(page)).toHaveCount(0);
  await control.click();
  await expect(control).not.toBeChecked();
  await expect(rules(page)).toHaveCount(1);
});
