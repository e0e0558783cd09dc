import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { SingleProductReader } from '#api/schema/product.ts';
import { formatRupees } from '#domain/money.ts';
import { productTexts } from '#domain/product-texts.ts';
import { API, API_ORIGIN } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { hold } from '#tests/support/page.ts';
import { expectNoAxeFindings, expectNoShift, watchShifts } from '#tests/support/page-checks.ts';
import { storedCart } from '#tests/support/samples.ts';
import { answerProduct, wireProduct } from '#tests/support/wire-products.ts';

const API_PRODUCT = `${API}/products/new-1`;

/* The document itself is answered with 404. */
test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

const show = async (page: Page, change: Record<string, unknown> = {}) => {
  await answerProduct(page, wireProduct(change));
  await page.goto('/product/new-1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(String(change.title ?? 'Test Mango'));
};

/** For those who do not see what has become of it. */
const told = (page: Page) => page.locator('.product-slot > [role=status]');

const attribute = (key: string, ...values: string[]) => ({ key, values });
const specs = (page: Page) => page.getByRole('region', { name: 'Specifications' });

test('[spec 2.product.18, 2.notfound.7] shows a new product, after a skeleton', async ({ page }) => {
  await watchShifts(page);
  const product = wireProduct({ discountedPrice: 80 });
  const release = await hold(page, API_PRODUCT, async (route) => {
    await route.fulfill({ json: product });
  });
  await page.goto('/product/new-1');
  await expect(page.locator('.skeleton').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
  release();
  await expect(page).toHaveTitle('Test Mango | Fresh Fruits');
  for (const [name, text] of Object.entries(productTexts(v.parse(SingleProductReader, product)))) {
    await expect(page.locator(`[data-text=${name}]`).first()).toHaveText(text);
  }
  await expect(told(page)).toHaveText('Test Mango');
  await expect(page.locator('.price-large')).toContainText(`Sale price ${formatRupees(80)} Regular price`);
  await expect(page.getByRole('img', { name: 'Test Mango' })).toHaveCount(1);
  await expectNoShift(page);
  await expectNoAxeFindings(page);
});

test('it is bought like any other', async ({ page }) => {
  await show(page, { attributes: [attribute('size', 'S', 'M')] });
  await page.getByRole('radio', { name: 'M' }).check();
  await page.locator('form').getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page).toHaveURL('/cart');
  expect(await storedCart(page)).toMatchObject([{ id: 'new-1', selectedSize: 'M', quantity: 1 }]);
});

test('[spec 2.product.19, 2.notfound.8] unknown to the API too, it is not found', async ({ page }) => {
  await page.goto('/product/unknown');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product Not Found');
  await expect(page).toHaveTitle('Product Not Found | Fresh Fruits');
  await expect(told(page)).toHaveText('Product Not Found');
  await expect(told(page)).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole('link', { name: 'Browse Products' }).click();
  await expect(page).toHaveURL('/products');
});

test('[spec 2.product.19] an API that fails is no product either', async ({ page }) => {
  await page.route(API_PRODUCT, (route) => route.fulfill({ status: 400, json: {} }));
  await page.goto('/product/new-1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product Not Found');
});

test('[spec 2.product.6] specifications of many words scroll in 300 px', async ({ page }) => {
  await show(page, {
    attributes: Array.from({ length: 10 }, (_, index) =>
      attribute(`Key ${index}`, 'Many words. '.repeat(20)),
    ),
  });
  expect((await specs(page).boundingBox())?.height).toBe(300);
  await specs(page).focus();
  await expect(specs(page)).toBeFocused();
  await page.keyboard.press('End');
  await expect(specs(page).getByRole('definition').last()).toBeInViewport();
});

test('[spec 2.product.9] One Size is chosen by itself', async ({ page }) => {
  await show(page, { attributes: [attribute('size', 'One Size')] });
  await expect(page.getByRole('radio', { name: 'One Size' })).toBeChecked();
});

test('[spec 2.product.16] a picture that fails gives way to an icon', async ({ page }) => {
  await show(page, { imgUrl: `${API_ORIGIN}/images/none.webp` });
  await expect(page.getByText('Image unavailable')).toBeVisible();
});

test('[fault 64] without a price it cannot be added', async ({ page }) => {
  await show(page, { regularPrice: null });
  await expect(page.locator('.price-large')).toHaveText(/Price unavailable/);
  await expect(page.locator('form').getByRole('button', { name: 'Add to Cart' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
