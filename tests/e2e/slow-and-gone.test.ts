import type { Locator, Page } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { untilPainted } from '#tests/support/at-rest.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const LISTING = `${API}/products?*`;

const addFirst = (page: Page) => page.getByRole('button', { name: /^Add .* to cart$/ }).first();
const inCart = (page: Page) => page.getByRole('link', { name: 'Cart, 3 items' }).first();

const STAYS: readonly {
  name: string;
  address: (productId: string) => string;
  /** How often each asks the API by itself, all tries counted. */
  calls: number;
  control: (page: Page) => Locator;
  outcome: (page: Page) => Locator;
}[] = [
  { name: 'home', address: () => '/', calls: 2, control: addFirst, outcome: inCart },
  { name: 'the listing', address: () => '/products', calls: 3, control: addFirst, outcome: inCart },
  {
    name: 'a policy',
    address: () => '/terms',
    calls: 1,
    control: (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Shipping Policy' }),
    outcome: (page) => page.getByRole('heading', { level: 1, name: 'Shipping Policy' }),
  },
  {
    name: 'a product',
    address: (id) => `/product/${id}`,
    calls: 2,
    control: (page) => page.locator('form').getByRole('button', { name: 'Add to Cart' }),
    outcome: inCart,
  },
  {
    name: 'the cart',
    address: () => '/cart',
    calls: 4,
    control: (page) => page.getByRole('button', { name: 'Increase quantity' }),
    outcome: inCart,
  },
];

for (const { name, address, calls, control, outcome } of STAYS) {
  test(`[fault 5] with the API down ${name} stays as it is, and works`, async ({
    page,
    filledCart,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(FAILED_REQUEST);
    const failed: string[] = [];
    page.on('requestfailed', (request) => {
      if (request.url().startsWith(API)) failed.push(request.url());
    });
    await page.route(`${API}/**`, (route) => route.abort('connectionrefused'));
    await page.goto(address(filledCart[0]?.id ?? ''));
    await expect(control(page)).toBeVisible();
    // The bar with the price and the button comes in the first frame after the load.
    await untilPainted(page);
    const before = await page.getByRole('main').innerText();
    await expect.poll(() => failed.length).toBeGreaterThanOrEqual(calls);
    await untilPainted(page);
    expect(await page.getByRole('main').innerText()).toBe(before);
    await control(page).click();
    await expect(outcome(page)).toBeVisible();
  });
}

test('[fault 6] a list that hangs is given up within 25 s, with a way to try again', async ({
  page,
  api,
}) => {
  const opened = new Date('2026-01-05T10:00:00Z');
  const { parentCategory } = await api.product(({ price }) => price > 0);
  await page.clock.install({ time: opened });
  await page.route(LISTING, () => {
    // never answered
  });
  const asked = page.waitForRequest(LISTING);
  await page.goto(`/products?parentCategory=${encodeURIComponent(`${parentCategory} of another build`)}`);
  // Before it nothing hangs: seconds that pass now are none of the 25.
  await asked;
  const failure = page.getByText('Failed to load products. Please try again.');
  for (let second = 0; second < 25 && !(await failure.isVisible()); second += 1)
    await page.clock.runFor(1_000);
  await expect(failure).toBeVisible();
  await expect(
    page.getByRole('button', { name: 'Try Again' }).or(page.getByRole('link', { name: 'Try Again' })),
  ).toBeVisible();
});

test('[fault 32] storage wiped while the cart is open leaves a cart that works', async ({
  page,
  filledCart,
}) => {
  await page.goto('/cart');
  await expect(page.getByText(filledCart[0]?.name ?? '').first()).toBeVisible();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  const kept = page.getByRole('textbox', { name: 'Quantity' });
  const empty = page.getByRole('heading', { name: 'Your cart is empty' });
  await expect(kept.or(empty)).toBeVisible();
  await page.reload();
  await expect(kept.or(empty)).toBeVisible();
});
