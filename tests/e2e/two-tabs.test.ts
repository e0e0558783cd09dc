import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

/** Presses the first card's button. */
const add = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /^Add .* to cart$/ })
    .first()
    .evaluate((button: HTMLElement) => button.click());

const stored = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const lines: { quantity: number }[] = JSON.parse(localStorage.getItem('cart') ?? '[]');
    return lines.reduce((sum, { quantity }) => sum + quantity, 0);
  });

const badge = (tab: Page) => tab.locator('header [data-cart-count]').first();

test.slow();

test('[fault 30] what one tab clears while the other adds does not come back', async ({ context, page }) => {
  await page.goto('/products');
  for (let edit = 0; edit < 5; edit += 1) await add(page);
  const cart = await context.newPage();
  await cart.goto('/cart');
  await expect(badge(cart)).toHaveText('5');
  await cart.getByRole('button', { name: 'Clear Cart' }).click();
  await expect.poll(() => stored(page)).toBe(0);
  await add(page);
  for (const tab of [page, cart]) {
    await expect(badge(tab)).toHaveText('1');
    await expect.poll(() => stored(tab)).toBe(1);
  }
});
