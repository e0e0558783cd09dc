import { formatRupees } from '#domain/money.ts';
import { isPriced } from '#domain/product.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectNoAxeFindings, expectNoShift, watchShifts } from '#tests/support/page-checks.ts';
import { isPlain } from '#tests/support/samples.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('[spec 2.product.15, 2.routes.9] /wishlist shows the products saved on this device, and a removal moves the focus', async ({
  page,
  api,
}) => {
  const products = (await api.products()).filter(isPlain).slice(0, 3);
  for (const { id } of products) {
    await page.goto(`/product/${id}`);
    await page.getByRole('button', { name: 'Add to Wishlist' }).click();
  }
  await page.getByRole('link', { name: 'View', exact: true }).click();
  await expect(page).toHaveURL('/wishlist');
  const [last, middle, first] = products.map(({ name }) => name);
  await expect(page.locator('.card h3')).toHaveText([first, middle, last].map(String));
  await expect(page.locator('.card img').first()).toHaveCSS('object-fit', 'contain');
  // A picture of the build may be gone when the list is read.
  expect(await page.evaluate(() => localStorage.getItem('fresh-fruits.wishlist'))).not.toContain('/_astro/');
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: `Add ${first} to cart` }).click();
  await expect(page.getByText('Added to cart')).toBeVisible();
  const remove = (name = '') => page.getByRole('button', { name: `Remove ${name} from wishlist` });
  await remove(first).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.card')).toHaveCount(3);
  await remove(middle).press('Enter');
  await expect(remove(last)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(remove(first)).toBeFocused();
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
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('fresh-fruits.recently-viewed')))
    .toContain(first?.id);
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

test('stored products show today’s price when they are seen, beyond the first ones and under data saver', async ({
  page,
  api,
}) => {
  const products = (await api.products()).filter(isPriced).slice(0, 30);
  const stored = [...products, { ...products[0], id: 'discontinued' }].map((product) => ({
    ...product,
    price: 1,
  }));
  const [first, last] = [products[0], products.at(-1)];
  await page.addInitScript((cards) => {
    localStorage.setItem('fresh-fruits.data-saver', 'on');
    for (const key of ['wishlist', 'recently-viewed']) localStorage.setItem(`fresh-fruits.${key}`, cards);
  }, JSON.stringify(stored.toReversed()));
  await page.goto('/wishlist');
  const cards = page.locator('.card');
  await expect(cards.first()).toContainText('Price unavailable');
  await cards.last().scrollIntoViewIfNeeded();
  await expect(cards.last()).toContainText(formatRupees(first?.price ?? 0));

  await page.goto(`/product/${first?.id}`);
  const recent = page.getByRole('region', { name: 'Recently viewed' });
  await expect(recent.getByRole('link').first()).not.toContainText('₹');
  await recent.scrollIntoViewIfNeeded();
  await expect(recent.getByRole('link').first()).toContainText(formatRupees(last?.price ?? 0));
  await expect(recent.getByRole('link').first()).toContainText(last?.name ?? '?');
});
