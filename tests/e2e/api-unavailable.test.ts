import type { Locator, Page } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { signInHere, untilPainted } from '#tests/support/page.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

const addFirst = (page: Page) => page.getByRole('button', { name: /^Add .* to cart$/ }).first();

/** The page, its path, how many requests it sends by itself, retries included, and a control that adds a piece. */
const PAGES: readonly [name: string, path: string, calls: number, control: (page: Page) => Locator][] = [
  ['home', '/', 2, addFirst],
  ['the listing', '/products', 3, addFirst],
  ['a product', '/product/', 2, (page) => page.locator('form').getByRole('button', { name: 'Add to Cart' })],
  ['the cart', '/cart', 4, (page) => page.getByRole('button', { name: 'Increase quantity' })],
];

for (const [name, path, calls, control] of PAGES) {
  test(`[spec 2.listing.25] ${name} works without an API`, async ({ page, filledCart }) => {
    const failed: string[] = [];
    page.on('requestfailed', (request) => {
      if (request.url().startsWith(API)) failed.push(request.url());
    });
    await page.route(`${API}/**`, (route) => route.abort('connectionrefused'));
    await page.goto(path.endsWith('product/') ? path + filledCart[0]?.id : path);
    await expect(control(page)).toBeVisible();
    // The bar with the price and the button appears in the first frame after the load.
    await untilPainted(page);
    const before = await page.getByRole('main').innerText();
    await expect.poll(() => failed.length).toBeGreaterThanOrEqual(calls);
    await untilPainted(page);
    expect(await page.getByRole('main').innerText()).toBe(before);
    await control(page).click();
    await expect(page.getByRole('link', { name: 'Cart, 3 items' }).first()).toBeVisible();
  });
}

test('no first view waits for ky; a call that cannot load it fails as offline, and the next one works', async ({
  page,
  api,
  signedInShopper,
}) => {
  const ky = /\/_astro\/ky\.[^/]+\.js$/;
  await page.route(ky, (route) => route.abort());
  const { number } = await api.order(signedInShopper);
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: number })).toBeVisible();
  await page.context().clearCookies();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page).toHaveURL('/login');
  await signInHere(page, signedInShopper);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('No response from server');
  await page.unroute(ky);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/orders$/);
});
