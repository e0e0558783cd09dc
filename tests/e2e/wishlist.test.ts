import { expect, test } from '#tests/support/fixtures.ts';
import { expectNoAxeFindings, expectNoShift, watchShifts } from '#tests/support/page-checks.ts';

test('[spec 2.routes.9] /wishlist shows the products saved on this device', async ({ page, api }) => {
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

test('moves the focus to the next card after a removal, and the empty list links to the products', async ({
  page,
  api,
}) => {
  const products = (await api.products()).filter(({ price }) => price > 0).slice(0, 3);
  const saved = products.map(({ id, name, price, image }) => ({ id, name, price, image }));
  await page.addInitScript((text) => localStorage.setItem('wishlist', text), JSON.stringify(saved));
  await page.goto('/wishlist');
  const remove = (index: number) =>
    page.getByRole('button', { name: `Remove ${products[index]?.name} from wishlist` });
  await remove(1).press('Enter');
  await expect(remove(2)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(remove(0)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your wishlist is empty' })).toBeFocused();
  await page.getByRole('link', { name: 'Browse Products' }).click();
  await expect(page).toHaveURL('/products');
});

test('shows recently viewed products, newest first, without a layout shift', async ({ page, api }) => {
  await watchShifts(page);
  const recent = page.getByRole('region', { name: 'Recently viewed' });
  const [first, second, third] = await api.products();
  await page.goto(`/product/${first?.id}`);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('recently-viewed'))).toContain(first?.id);
  await expect(recent).toBeHidden();
  await page.goto(`/product/${second?.id}`);
  await expect(recent.getByRole('link')).toHaveText([new RegExp(first?.name ?? '?')]);
  await page.goto(`/product/${third?.id}`);
  await expect(recent.getByRole('link')).toHaveText([
    new RegExp(second?.name ?? '?'),
    new RegExp(first?.name ?? '?'),
  ]);
  await expectNoShift(page);
  await recent.scrollIntoViewIfNeeded();
  await recent.getByRole('link').last().click();
  await expect(page).toHaveURL(`/product/${first?.id}`);
});
