import type { Cart } from '#domain/cart.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import {
  createOrder,
  fillAddress,
  isPost,
  loseAnswer,
  ORDERS,
  openCheckout,
  orderFrom,
  signInHere,
} from '#tests/support/page.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';

const keep = (cart: Cart): string => JSON.stringify(cart);

test('[fault 19] nobody can say: it is told as unknown, and Try Again makes no second order', async ({
  page,
  api,
  shop,
  signedInShopper,
  filledCart: _,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST, /ERR_/);
  await page.route(ORDERS, async (route) => (isPost(route) ? loseAnswer(route, shop) : route.fallback()));
  await orderFrom(page);
  const heading = page.getByRole('heading', { name: 'We could not confirm your order' });
  await expect(heading).toBeFocused();
  await expect(page.getByRole('main').getByRole('link', { name: 'My Orders' })).toHaveAttribute(
    'href',
    '/orders',
  );
  await expect(page.getByText('Error placing order')).toHaveCount(0);
  await page.unroute(ORDERS);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  expect(await api.orders(signedInShopper)).toHaveLength(1);
});

test('[fault 35] signed out in mid-checkout: the fields come back, and the key is the same', async ({
  page,
  api,
  shop,
  context,
  filledCart: _,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST, /ERR_/);
  const shopper = await api.newSignedIn();
  await context.addCookies([{ name: 'auth_token', value: 'expired', url: shop.url }]);
  const keys: (string | undefined)[] = [];
  await page.route(ORDERS, (route) => {
    if (isPost(route)) keys.push(route.request().headers()['idempotency-key']);
    return route.fallback();
  });
  await orderFrom(page);
  await expect(page).toHaveURL(/\/login$/);
  await signInHere(page, shopper);
  await expect(page).toHaveURL(/\/checkout$/);
  for (const [name, text] of Object.entries(ADDRESS))
    await expect(page.locator(`#${name}`)).toHaveValue(text);
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await api.orders(shopper)).toHaveLength(1);
});

test('[fault 31] ordered in one tab, the other says so and leads to its payment', async ({
  context,
  page,
  api,
  signedInShopper,
  filledCart,
}) => {
  await page.goto('/cart');
  expect(await page.evaluate(() => localStorage.getItem('cart'))).toBe(keep(filledCart));
  const [first, second] = [await openCheckout(context), await openCheckout(context)];
  await fillAddress(second);
  await fillAddress(first);
  await createOrder(first).click();
  await expect(first).toHaveURL(/\/payment\?orderId=/);
  await expect(second.getByRole('heading', { name: 'Your order is already placed' })).toBeVisible();
  const [order] = await api.orders(signedInShopper);
  await second.getByRole('link', { name: 'Go to payment' }).click();
  await expect(second).toHaveURL(new RegExp(`orderId=${order?.id}`));
  expect(await api.orders(signedInShopper)).toHaveLength(1);
});

test('[fault 75] Back makes no second order', async ({ page, api, signedInShopper, filledCart: _ }) => {
  await page.goto('/cart');
  await page.getByRole('link', { name: 'Checkout' }).click();
  await fillAddress(page);
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  await expect(createOrder(page)).toHaveCount(0);
  expect(await api.orders(signedInShopper)).toHaveLength(1);
});
