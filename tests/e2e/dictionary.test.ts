import { expect, test } from '#tests/support/fixtures.ts';

/* `npm run size` weighs such pages, tests/publish tests the servers. */

test('the browser reads later pages with the dictionary', async ({ page, api }) => {
  const { id } = await api.product(({ sizes }) => sizes.length > 1);
  await page.goto('/');
  await expect(page.locator('link[rel=compression-dictionary]')).toHaveCount(1);
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/_astro/dictionary.')),
  );
  // The browser stores it some time after it has fetched it.
  const encoding = async () => (await page.goto(`/about?${Date.now()}`))?.headers()['content-encoding'];
  await expect.poll(encoding).toBe('dcz');
  for (const path of [`/product/${id}`, '/products?category=berries&page=1', '/terms', '/cart']) {
    const response = await page.goto(path);
    expect([path, response?.headers()['content-encoding']]).toEqual([path, 'dcz']);
    const plain = await fetch(new URL(path, page.url()), { headers: { 'Accept-Encoding': 'identity' } });
    expect(await response?.text(), path).toBe(await plain.text());
  }
});
