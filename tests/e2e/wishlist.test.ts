import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test('an empty wishlist leads to the products', async ({ page }) => {
  await page.goto('/wishlist');
  await expect(page.getByRole('heading')).toHaveText([
    'Wishlist',
    'Your wishlist is empty',
    'Help',
    'Company',
  ]);
  await expectNoAxeFindings(page);
  await page.getByRole('link', { name: 'Browse Products' }).click();
  await expect(page).toHaveURL('/products');
});

test('[spec 2.routes.9] /wishlist shows what is kept on this device', async ({ page, api }) => {
  const product = await api.product(({ price, sizes }) => price > 0 && sizes.length === 0);
  await page.goto(`/product/${product.id}`);
  await page.getByRole('button', { name: 'Add to Wishlist' }).click();
  await page.getByRole('link', { name: 'View', exact: true }).click();
  await expect(page).toHaveURL('/wishlist');
  await expect(page.locator('.card')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: product.name })).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: `Add ${product.name} to cart` }).click();
  await expect(page.getByText('Added to cart')).toBeVisible();
  await page.getByRole('button', { name: `Remove ${product.name} from wishlist` }).click();
  await expect(page.locator('.card')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.card')).toHaveCount(1);
});

test('what is stored is read with care, and priced anew', async ({ page, api, context, shop }) => {
  const product = await api.product(({ price }) => price > 0);
  const stored = [null, 4, { id: 7 }, { id: product.id, name: 'Old name', price: 1, image: product.image }];
  await context.setStorageState({
    cookies: [],
    origins: [{ origin: shop.url, localStorage: [{ name: 'wishlist', value: JSON.stringify(stored) }] }],
  });
  await page.goto('/wishlist');
  await expect(page.locator('.card')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: product.name })).toBeVisible();
});
