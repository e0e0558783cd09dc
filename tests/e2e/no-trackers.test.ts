import { API_ORIGIN } from '#tests/support/api-address.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const PAGES = [
  '/',
  '/products',
  '/cart',
  '/checkout',
  '/orders',
  '/account',
  '/track-order',
  '/contact',
  '/privacy',
  '/wishlist',
  '/device',
  '/order-success',
  '/api-test',
  '/no-such-page',
];

test('no page asks a third party for anything, and no box is ticked beforehand', async ({
  page,
  api,
  shop,
  signedInShopper,
  filledCart: _,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  const ours = new Set([new URL(shop.url).origin, API_ORIGIN]);
  const strange: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && !ours.has(url.origin)) strange.push(request.url());
  });
  const { id } = await api.product(({ price }) => price > 0);
  const order = await api.order(signedInShopper);
  for (const path of [...PAGES, `/product/${id}`, `/payment?orderId=${order.id}`]) {
    await page.goto(path);
    await expect(page.locator('main')).toBeVisible();
    await expect(page.getByRole('heading').first()).toBeVisible();
    expect(await page.locator('input[type=checkbox]:checked').count(), path).toBe(0);
    await expect(page.locator('.seller'), path).toContainText('Fresh Fruits Retail Private Limited');
    await expect(page.locator('.seller'), path).toContainText('Grievance Officer');
  }
  // The page of the payment leads to /login by itself as soon as the session is gone.
  await page.goto('about:blank');
  await page.context().clearCookies();
  for (const path of ['/login', '/register']) {
    await page.goto(path);
    await expect(page.locator('.seller')).toContainText('Grievance Officer');
    expect(await page.locator('input[type=checkbox]:checked').count(), path).toBe(0);
  }
  expect(strange).toEqual([]);
});
