import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

/** Told by the page itself: what comes back from the cache is the same document. */
const markDocument = (page: Page) => page.evaluate(() => document.body.setAttribute('data-left', ''));
const isSameDocument = (page: Page) => page.evaluate(() => document.body.hasAttribute('data-left'));

const goBack = async (page: Page): Promise<void> => {
  // A page that comes back from the cache loads nothing: there is no load event to wait for.
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.visibilityState === 'visible');
};

const FRUIT = (product: { price: number; sizes: readonly string[]; colors: readonly string[] }): boolean =>
  product.price > 0 && product.sizes.length + product.colors.length === 0;

const ADDRESSES = ['/', '/products', '/cart', '/about', '/contact', '/track-order', '/login'];

for (const address of ADDRESSES) {
  test(`${address} comes back as it was left`, async ({ page }) => {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await markDocument(page);
    await page.goto('/terms');
    await goBack(page);
    await expect(page).toHaveURL(address);
    expect(await isSameDocument(page)).toBe(true);
  });
}

test('a product comes back as it was left, with the quantity that was chosen', async ({ page, api }) => {
  const { id } = await api.product(FRUIT);
  await page.goto(`/product/${id}`);
  const quantity = page.getByRole('textbox', { name: 'Quantity' });
  await page.getByRole('button', { name: 'Increase quantity' }).first().click();
  await expect(quantity).toHaveValue('2');
  await markDocument(page);
  await page.goto('/terms');
  await goBack(page);
  expect(await isSameDocument(page)).toBe(true);
  await expect(quantity).toHaveValue('2');
});

test('Back to a filtered listing restores filter, page and place', async ({ page }) => {
  await page.goto('/products?parentCategory=fresh+fruits&page=2');
  const cards = page.locator('.results .card h3 a');
  await expect(cards.first()).toBeVisible();
  const names = await cards.allTextContents();
  const last = cards.last();
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => Math.round(scrollY));
  expect(place).toBeGreaterThan(300);
  await markDocument(page);
  await last.click();
  await page.waitForURL(/\/product\//);
  await goBack(page);
  await expect(page).toHaveURL('/products?parentCategory=fresh+fruits&page=2');
  expect(await isSameDocument(page)).toBe(true);
  expect(await cards.allTextContents()).toEqual(names);
  expect(await page.evaluate(() => Math.round(scrollY))).toBe(place);
});

test('Back shows what was added to the cart meanwhile', async ({ page, api }) => {
  const { id } = await api.product(FRUIT);
  await page.goto('/');
  await markDocument(page);
  await page.goto(`/product/${id}`);
  await page
    .getByRole('button', { name: /^Add .*to cart$/i })
    .first()
    .click();
  await page.waitForURL('/cart');
  await page.goBack({ waitUntil: 'commit' });
  await goBack(page);
  await expect(page).toHaveURL('/');
  expect(await isSameDocument(page)).toBe(true);
  await expect(page.getByRole('link', { name: 'Cart, 1 item' }).first()).toBeVisible();
});
