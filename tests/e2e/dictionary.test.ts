import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

/* The compression dictionary in the browser. tests/publish tests nginx and Caddy. */

/** The navigation timing of the open page. */
const delivery = (page: Page) =>
  page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    const { encodedBodySize, contentEncoding } = entry as PerformanceNavigationTiming & {
      contentEncoding: string;
    };
    return { encodedBodySize, contentEncoding };
  });

const dictionaryLink = (page: Page) => page.locator('link[rel=compression-dictionary]');

/** Waits until the browser has stored the dictionary. */
async function untilStored(page: Page): Promise<void> {
  await expect(dictionaryLink(page)).toHaveCount(1);
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/_astro/dictionary.')),
  );
}

test('later pages take some hundred bytes', async ({ page, api }) => {
  const { id } = await api.product(({ sizes }) => sizes.length > 1);
  await page.goto('/');
  await untilStored(page);
  for (const [path, most] of [
    [`/product/${id}`, 1_320],
    ['/products?category=berries&page=1', 2_200],
    ['/terms', 3_300],
    ['/cart', 3_850],
  ] as const) {
    const response = await page.goto(path);
    const plain = await fetch(new URL(path, page.url()), { headers: { 'Accept-Encoding': 'identity' } });
    expect(await response?.text(), path).toBe(await plain.text());
    const { encodedBodySize, contentEncoding } = await delivery(page);
    expect([path, contentEncoding]).toEqual([path, 'dcz']);
    expect(encodedBodySize, path).toBeLessThanOrEqual(most);
  }
});
