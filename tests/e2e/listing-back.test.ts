import type { Locator, Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';
import type { ShopClient } from '#tests/support/shop-client.ts';

/** The card of the category's sixth product, which is below what a phone shows at first. */
async function cardFarDown(page: Page, api: ShopClient, category: string): Promise<Locator> {
  const ofCategory = (await api.products()).filter((product) => product.category === category);
  const name = ofCategory[5]?.name ?? '';
  return page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
}

const QUERY = '/products?category=tropical+fruits&page=1';

/** Opens a product from far down the filtered listing, and comes back. */
async function goAndComeBack(page: Page, api: ShopClient): Promise<number> {
  await page.goto(QUERY);
  await expect(page.locator('html')).not.toHaveClass(/listing-loading/);
  const card = await cardFarDown(page, api, 'Tropical Fruits');
  await card.scrollIntoViewIfNeeded();
  const scroll = await page.evaluate(() => scrollY);
  expect(scroll).toBeGreaterThan(800);
  await card.getByRole('link').click();
  await expect(page).toHaveURL(/\/product\//);
  await page.goBack();
  await expect(page).toHaveURL(QUERY);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tropical Fruits');
  await expect(card).toBeInViewport();
  return (await page.evaluate(() => scrollY)) - scroll;
}

test('Back restores filter and place, loaded anew', async ({ page, api }) => {
  expect(Math.abs(await goAndComeBack(page, api))).toBeLessThan(50);
});
