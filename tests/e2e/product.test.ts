import type { Page } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { hold } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { isPlain, storedCart } from '#tests/support/samples.ts';

const addButton = (page: Page) => page.locator('form').getByRole('button', { name: 'Add to Cart' });
const quantity = (page: Page) => page.getByRole('textbox', { name: 'Quantity' });

test('[spec 2.product.7, 2.product.8, 2.product.14, 8.product.1, 5.product.1, 5.product.2] without a size shows an error and focuses the sizes; a colour is not needed', async ({
  page,
  api,
}) => {
  const product = await api.product(({ sizes, colors }) => sizes.length > 2 && colors.length > 1);
  await page.goto(`/product/${product.id}`);
  const radios = (group: string) => page.getByRole('group', { name: group }).getByRole('radio');
  await expect(radios('Clothing Size')).toHaveCount(product.sizes.length);
  await expect(radios('Colour')).toHaveCount(product.colors.length);
  await addButton(page).click();
  const notice = page.locator('.toast-error');
  await expect(notice).toContainText('Please select a size');
  await expect(notice).toContainText('You must select a size before adding to cart');
  await expect(radios('Clothing Size').first()).toBeFocused();
  await expect(page.locator('#size-error')).toBeVisible();
  await expectNoAxeFindings(page);
  await expect.poll(() => storedCart(page)).toEqual([]);

  await page.getByText(product.sizes[1] ?? '', { exact: true }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.locator('#size-error')).toBeHidden();
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await addButton(page).click();
  await expect(page).toHaveURL('/cart');
  await expect(page.getByText('Added to cart')).toBeVisible();
  await expect
    .poll(() => storedCart(page))
    .toMatchObject([{ id: product.id, quantity: 2, selectedSize: product.sizes[1], selectedColor: '' }]);
});

test('[spec 2.product.13] the quantity is a whole number from 1 to 9,999, and a bar adds while the button is out of sight', async ({
  page,
  api,
}) => {
  const product = await api.product(isPlain);
  await page.goto(`/product/${product.id}`);
  await expect(quantity(page)).toHaveValue('1');
  await page.getByRole('button', { name: 'Decrease quantity' }).press('Enter');
  await expect(quantity(page)).toHaveValue('1');
  for (const [typed, becomes] of [
    ['0', '1'],
    ['९ ', '9'],
    ['9999', '9999'],
  ] as const) {
    await quantity(page).fill(typed);
    await quantity(page).blur();
    await expect(quantity(page), typed).toHaveValue(becomes);
  }
  await page.getByRole('button', { name: 'Increase quantity' }).press('Enter');
  await expect(quantity(page)).toHaveValue('9999');
  await quantity(page).press('ArrowDown');
  await expect(quantity(page)).toHaveValue('9998');
  await quantity(page).fill('2,5');
  await addButton(page).click();
  await expect(quantity(page)).toHaveValue('2,5');
  await expect(quantity(page)).toBeFocused();
  await expect(quantity(page)).toHaveAccessibleDescription('Type whole pieces, from 1 to 9,999');
  await expect.poll(() => storedCart(page)).toEqual([]);

  await quantity(page).fill('3');
  const bar = page.locator('.buy-bar');
  await addButton(page).scrollIntoViewIfNeeded();
  await expect(bar).toBeHidden();
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(bar).toBeVisible();
  await bar.getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page).toHaveURL('/cart');
  await expect.poll(() => storedCart(page)).toMatchObject([{ id: product.id, quantity: 3 }]);
});

test('today’s price replaces the built one, and the choices remain', async ({ page, shop, api }) => {
  const product = await api.product(({ sizes }) => sizes.length > 2);
  const release = await hold(page, `**/api/v1/products/${product.id}`, async (route) => {
    const answer = await fetch(`${shop.apiUrl}/api/v1/products/${product.id}`);
    const body: { data: object } = await answer.json();
    await route.fulfill({ json: { data: { ...body.data, regularPrice: 4_321, discountedPrice: null } } });
  });
  await page.goto(`/product/${product.id}`);
  await page.getByRole('radio', { name: product.sizes[1] ?? '', exact: true }).check();
  release();
  await expect(page.locator('.price-large')).toContainText(formatRupees(4_321));
  await expect(page.getByRole('radio', { name: product.sizes[1] ?? '', exact: true })).toBeChecked();
  await addButton(page).click();
  await expect(page).toHaveURL('/cart');
  await expect.poll(() => storedCart(page)).toMatchObject([{ price: 4_321 }]);
});

test('a discontinued product cannot be added', async ({ page, api, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  const product = await api.product(({ price }) => price > 0);
  await page.route(`**/api/v1/products/${product.id}`, (route) =>
    route.fulfill({ status: 404, json: { error: 'Product not found' } }),
  );
  await page.goto(`/product/${product.id}`);
  await expect(page.getByRole('status').getByText('no longer available')).toBeVisible();
  await expect(addButton(page)).toHaveAttribute('aria-disabled', 'true');
  await addButton(page).press('Enter');
  await expect.poll(() => storedCart(page)).toEqual([]);
});

test('pictures can be zoomed by keyboard, and a thumbnail scrolls to its own', async ({ page, api }) => {
  const product = await api.product(({ images }) => images.length > 2);
  await page.goto(`/product/${product.id}`);
  const zoom = page.getByRole('button', { name: 'Zoom in' });
  await zoom.press('Enter');
  for (const name of ['Previous', 'Next', 'Close'])
    await expect(page.getByRole('dialog').getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  const dialog = page.getByRole('dialog', { name: new RegExp(`${product.name}, 1 of`) });
  await expect(dialog).toBeVisible();
  const width = async () => (await dialog.getByRole('img').boundingBox())?.width;
  await expect.poll(width).toBeGreaterThan(360 * 2);
  await expectNoAxeFindings(page);
  await dialog.getByRole('button', { name: 'Next' }).press('Enter');
  await expect(page.getByRole('dialog', { name: new RegExp(`${product.name}, 2 of`) })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(zoom).toBeFocused();

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await page.getByRole('link', { name: 'Picture 2' }).click();
  await expect
    .poll(() => page.locator('.gallery-strip').evaluate((strip) => strip.scrollLeft / strip.clientWidth))
    .toBe(1);
  await expect(page).toHaveURL(`/product/${product.id}`);
});
