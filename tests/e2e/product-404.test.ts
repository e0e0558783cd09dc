import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { SingleProductSchema } from '#api/schema/product.ts';
import { formatRupees } from '#domain/money.ts';
import { productTexts } from '#domain/product-texts.ts';
import { API, API_ORIGIN } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { hold } from '#tests/support/page.ts';
import { expectNoAxeFindings, expectNoShift, watchShifts } from '#tests/support/page-checks.ts';
import { answerProduct, productDto } from '#tests/support/product-dtos.ts';
import { storedCart } from '#tests/support/samples.ts';

const API_PRODUCT = `${API}/products/new-1`;

/* The document itself has the status 404. */
test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

/** For screen readers. */
const announced = (page: Page) => page.locator('[data-product-slot] > [role=status]');
const addButton = (page: Page) => page.locator('form').getByRole('button', { name: 'Add to Cart' });

test('[spec 2.product.18, 2.notfound.7] a new product shows after a skeleton and sells', async ({ page }) => {
  await watchShifts(page);
  const product = productDto({ discountedPrice: 80, attributes: [{ key: 'size', values: ['S', 'M'] }] });
  const release = await hold(page, API_PRODUCT, async (route) => {
    await route.fulfill({ json: product });
  });
  await page.goto('/product/new-1');
  await expect(page.locator('[data-skeleton]').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
  release();
  await expect(page).toHaveTitle('Test Mango | Fresh Fruits');
  for (const [name, text] of Object.entries(productTexts(v.parse(SingleProductSchema, product)))) {
    await expect(page.locator(`[data-text=${name}]`).first()).toHaveText(text);
  }
  await expect(announced(page)).toHaveText('Test Mango');
  await expect(page.locator('.price-large')).toContainText(`Sale price ${formatRupees(80)} Regular price`);
  await expect(page.getByRole('img', { name: 'Test Mango' })).toHaveCount(1);
  await expectNoShift(page);
  await expectNoAxeFindings(page);
  await page.getByRole('radio', { name: 'M' }).check();
  await addButton(page).click();
  await expect(page).toHaveURL('/cart');
  await expect.poll(() => storedCart(page)).toMatchObject([{ id: 'new-1', selectedSize: 'M', quantity: 1 }]);
});

test('[spec 2.product.19, 2.notfound.8] shows not found if the API does not have the product or fails', async ({
  page,
}) => {
  await page.route(API_PRODUCT, (route) => route.fulfill({ status: 400, json: {} }));
  for (const id of ['new-1', 'unknown']) {
    await page.goto(`/product/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product Not Found');
    await expect(page).toHaveTitle('Product Not Found | Fresh Fruits');
    await expect(announced(page)).toHaveText('Product Not Found');
  }
  await expectNoAxeFindings(page);
  await page.getByRole('link', { name: 'Browse Products' }).click();
  await expect(page).toHaveURL('/products');
});

test('[spec 2.product.6, 2.product.9, 2.product.16] shows a product with long texts, one size, a broken picture and no price, which cannot be added', async ({
  page,
}) => {
  const words = Array.from({ length: 10 }, (_, index) => ({
    key: `Key ${index}`,
    values: ['Many words. '.repeat(20)],
  }));
  await answerProduct(
    page,
    productDto({
      regularPrice: null,
      imgUrl: `${API_ORIGIN}/images/none.webp`,
      attributes: [{ key: 'size', values: ['One Size'] }, ...words],
    }),
  );
  await page.goto('/product/new-1');
  await expect(page.getByText('Image unavailable')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'One Size' })).toBeChecked();
  await expect(page.locator('.price-large')).toHaveText(/Price unavailable/);
  await expect(addButton(page)).toHaveAttribute('aria-disabled', 'true');
  const specs = page.getByRole('region', { name: 'Specifications' });
  expect((await specs.boundingBox())?.height).toBe(300);
  await specs.focus();
  await page.keyboard.press('End');
  await expect(specs.getByRole('definition').last()).toBeInViewport();
});
