import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

/** What a browser does that blocks all of a site's data. */
const refuse = (page: Page, names: readonly string[]): Promise<unknown> =>
  page.addInitScript((refused) => {
    for (const name of refused) {
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    }
  }, names);

const add = (page: Page) => page.getByRole('main').locator('[data-add]').first();
const badge = (page: Page) => page.getByRole('banner').locator('[data-cart-count]').first();

test('[fault 23] where localStorage is refused, sessionStorage carries the cart', async ({ page }) => {
  await refuse(page, ['localStorage']);
  await page.goto('/products');
  await add(page).click();
  await page.goto('/cart');
  await expect(page.getByRole('textbox', { name: 'Quantity' })).toHaveValue('1');
});

test('[fault 23] without both, one notice says so and the page stays', async ({ page, api }) => {
  await refuse(page, ['localStorage', 'sessionStorage']);
  const { id } = await api.product(
    ({ price, sizes, colors }) => price > 0 && sizes.length + colors.length === 0,
  );
  await page.goto(`/product/${id}`);
  const buy = page.getByRole('button', { name: 'Add to Cart' }).first();
  await buy.click();
  await expect(badge(page)).toHaveText('1');
  await buy.click();
  await expect(badge(page)).toHaveText('2');
  expect(new URL(page.url()).pathname).toBe(`/product/${id}`);
  await expect(page.getByText('Your cart is not saved')).toHaveCount(1);
});
