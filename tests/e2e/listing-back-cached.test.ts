import { expect, test } from '#tests/support/fixtures.ts';
import { cardFarDown } from '#tests/support/listing.ts';

test.use({ backForwardCache: true });

test('Back to the listing is the page as it was left', async ({ page, api }) => {
  await page.goto('/products?category=tropical+fruits');
  await expect(page.locator('html')).not.toHaveClass(/listing-loading/);
  await page.evaluate(() => Object.assign(globalThis, { wasHere: true }));
  const card = await cardFarDown(page, api, 'Tropical Fruits');
  await card.scrollIntoViewIfNeeded();
  const scroll = await page.evaluate(() => scrollY);
  await card.getByRole('link').click();
  await expect(page).toHaveURL(/\/product\//);
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tropical Fruits');
  expect(await page.evaluate(() => 'wasHere' in globalThis)).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(scroll);
});
