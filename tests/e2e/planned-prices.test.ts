import { formatRupees } from '#domain/money.ts';
import { saveProduct } from '#server/catalogue/products/edit-products.ts';
import { storedProduct } from '#server/catalogue/stored-products.ts';
import { isoTime } from '#server/process/clock.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ changesCatalogue: true });

const HOUR = 3_600_000;

test('shows the sale price only while the sale lasts', async ({ page, api, shop }) => {
  const { id, price } = await api.product(
    (product) => product.sizes.length + product.colors.length === 0 && product.originalPrice === undefined,
  );
  const reduced = price - 1;
  await shop.api.db.write(async (transaction) => {
    const { product } = (await storedProduct(transaction, id)) ?? {};
    await saveProduct(transaction, id, {
      ...product,
      discountedPrice: reduced,
      saleFrom: `${isoTime(Date.now() + HOUR).slice(0, 16)}Z`,
      saleUntil: `${isoTime(Date.now() + 3 * HOUR).slice(0, 16)}Z`,
    });
  });
  const shown = page.locator('[data-product] .price').first();
  await page.goto(`/product/${id}`);
  await expect(shown).toContainText(formatRupees(price));
  shop.passTime(2 * HOUR);
  await page.goto(`/product/${id}`);
  await expect(shown).toContainText(`${formatRupees(reduced)}`);
  await page.getByRole('button', { name: 'Add to cart' }).first().click();
  await page.goto('/cart');
  const summary = page.getByRole('region', { name: 'Order summary' });
  await expect(summary).toContainText(`Total${formatRupees(reduced)}`);
  shop.passTime(2 * HOUR);
  await page.goto('/cart');
  await expect(page.getByText(`was ${formatRupees(reduced)}, now ${formatRupees(price)}`)).toBeVisible();
  await expect(summary).toContainText(`Total${formatRupees(price)}`);
});
