import { toLine } from '#domain/cart.ts';
import { expect, test } from '#tests/support/fixtures.ts';

// A trace of such a page takes longer than the test.
test.use({ trace: 'off' });

// The benchmark measures the time. Here other tests run in parallel.
test('a cart of 500 lines answers a click', async ({ page, api, fillCart }) => {
  const product = await api.product(({ price }) => price > 0);
  const lines = Array.from({ length: 500 }, (_, index) =>
    toLine(product, { size: `Size ${index}`, color: '', quantity: 1 }),
  );
  await fillCart(lines);
  await page.goto('/cart');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Your cart 500 items');
  await page.getByRole('button', { name: 'Increase quantity' }).first().click();
  await expect(heading).toHaveText('Your cart 501 items');
});
