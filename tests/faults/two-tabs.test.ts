import type { Page } from 'playwright/test';
import { editInTurn } from '#tests/support/edit-in-turn.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const EDITS = 60;

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

test.slow();

for (const [everyMs, how] of [
  [50, 'in turn'],
  [2, 'before a tab can hear of the other'],
] as const)
  test(`[fault 29] of edits in two tabs ${how} none is lost, and both badges say so`, async ({
    context,
    page,
  }) => {
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto('/products');
      await tab.waitForLoadState('load');
    }
    await editInTurn([page, other], EDITS, everyMs);
    for (const tab of [page, other]) {
      await expect(tab.locator('header [data-cart-count]').first()).toHaveText(String(EDITS));
      await expect.poll(() => stored(tab)).toBe(EDITS);
    }
  });

test('[fault 30] what one tab clears while the other adds does not come back', async ({ context, page }) => {
  await page.goto('/products');
  await page.waitForLoadState('load');
  for (let edit = 0; edit < 5; edit += 1) await add(page);
  const cart = await context.newPage();
  await cart.goto('/cart');
  await expect(cart.locator('header [data-cart-count]').first()).toHaveText('5');
  await cart.getByRole('button', { name: 'Clear Cart' }).click();
  await cart.getByRole('button', { name: 'Remove all' }).click();
  await expect.poll(() => stored(page)).toBe(0);
  await add(page);
  for (const tab of [page, cart])
    await expect(tab.locator('header [data-cart-count]').first()).toHaveText('1');
  for (const tab of [page, cart]) await expect.poll(() => stored(tab)).toBe(1);
});
