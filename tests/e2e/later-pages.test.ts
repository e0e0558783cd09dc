import { expect, test } from '#tests/support/fixtures.ts';

// The small build of Chromium knows no speculation rules.
test.use({ backForwardCache: true });

test('visible links are prefetched once the dictionary is stored, at most four pages', async ({ page }) => {
  const ahead = new Set<string>();
  page.on('request', (request) => {
    if (request.headers()['sec-purpose']) ahead.add(new URL(request.url()).pathname);
  });
  await page.goto('/products');
  await expect(page.locator('link[rel=compression-dictionary]')).toHaveCount(1);
  const marked = page.locator('main a[data-ahead]');
  await expect(marked).not.toHaveCount(0);
  await page.locator('.results .card').last().scrollIntoViewIfNeeded();
  await expect(marked).toHaveCount(4);
  await page.locator('.results .card').nth(5).scrollIntoViewIfNeeded();
  await expect.poll(() => ahead.size).toBe(4);
});

test('data saver fetches no dictionary and prefetches no page until it is switched off', async ({ page }) => {
  const rules = page.locator('script[type=speculationrules]');
  const dictionary = page.locator('link[rel=compression-dictionary]');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto('/contact');
  const control = page.getByRole('switch', { name: 'Data saver' });
  // Chromium fetches it whenever it is idle, even after the link is gone.
  await expect.poll(() => requests.some((url) => url.includes('dictionary'))).toBe(true);
  await control.click();
  await expect(page.getByText('Data saver is on')).toBeVisible();
  await expect(rules).toHaveCount(0);
  requests.length = 0;
  await page.reload();
  await expect(control).toBeChecked();
  // Longer than background work takes to start.
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 5_000 })));
  await expect(rules.or(dictionary)).toHaveCount(0);
  expect(requests.filter((url) => /dictionary|build-info/.test(url))).toEqual([]);
  await control.click();
  await expect(control).not.toBeChecked();
  await expect(rules).toHaveCount(1);
});

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
