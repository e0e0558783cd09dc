import type { BrowserContext, Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

/** An edit follows as soon as both tabs show the last. */
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

const badge = (tab: Page) => tab.locator('header [data-cart-count]').first();

async function openTwo(context: BrowserContext, page: Page): Promise<[Page, Page]> {
  const tabs: [Page, Page] = [page, await context.newPage()];
  for (const tab of tabs) await tab.goto('/products');
  return tabs;
}

test.slow();

test('[fault 29] loses no edit made in turn in two tabs', async ({ context, page }) => {
  const tabs = await openTwo(context, page);
  for (let edit = 0; edit < EDITS; edit += 1) {
    await add(tabs[edit % 2 === 0 ? 0 : 1]);
    for (const tab of tabs) await expect(badge(tab)).toHaveText(String(edit + 1));
  }
  for (const tab of tabs) expect(await stored(tab)).toBe(EDITS);
});

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
