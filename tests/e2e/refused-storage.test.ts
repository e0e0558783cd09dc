import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';
import { isPlain } from '#tests/support/samples.ts';

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

const badge = (page: Page) => page.getByRole('banner').locator('[data-cart-count]').first();

test('[fault 23] without both, one notice says so and the page stays', async ({ page, api }) => {
  await refuse(page, ['localStorage', 'sessionStorage']);
  const { id } = await api.product(isPlain);
  await page.goto(`/product/${id}`);
  const buy = page.getByRole('button', { name: 'Add to Cart' }).first();
  await buy.click();
  await expect(badge(page)).toHaveText('1');
  await buy.click();
  await expect(badge(page)).toHaveText('2');
  expect(new URL(page.url()).pathname).toBe(`/product/${id}`);
  await expect(page.getByText('Your cart is not saved')).toHaveCount(1);
});
