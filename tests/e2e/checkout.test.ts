import type { Page } from 'playwright/test';
import { toLine } from '#domain/cart.ts';
import { formatRupees } from '#domain/money.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { createOrder, hold, isPost, ORDERS, signInHere } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { isPlain, storedCart } from '#tests/support/samples.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';

const LABELS = {
  fullName: 'Full name',
  address: 'Address',
  city: 'City',
  state: 'State',
  postalCode: 'PIN code',
  phone: 'Phone',
} as const;
const FIELDS = Object.entries(LABELS) as [keyof typeof LABELS, string][];

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

const fillIn = async (page: Page, change: Partial<typeof ADDRESS> = {}): Promise<void> => {
  for (const [name, label] of FIELDS) await field(page, label).fill({ ...ADDRESS, ...change }[name]);
};

const alertOf = (page: Page) => page.getByRole('main').getByRole('alert');

test('[spec 2.checkout.1, 2.checkout.2, 2.checkout.3, 2.checkout.8] it has its fields and its summary', async ({
  page,
  signedInShopper: _,
  filledCart,
}) => {
  await page.goto('/checkout');
  for (const [, label] of FIELDS) await expect(field(page, label)).toBeVisible();
  await expect(createOrder(page)).toBeVisible();
  const summary = page.getByRole('region', { name: 'Order summary' });
  const total = formatRupees((filledCart[0]?.price ?? 0) * 2);
  await expect(summary).toContainText(total);
  await summary.getByRole('button', { name: 'Show items' }).click();
  await expect(summary.getByText(`${filledCart[0]?.name} × 2`)).toBeVisible();
  await expect(summary).toContainText('ShippingFree');
  await expect(summary).toContainText(`Total${total}`);
  await expectNoAxeFindings(page);
});

test('[spec 8.checkout.2, 5.checkout.2] says what is blank', async ({
  page,
  signedInShopper: _,
  filledCart: __,
}) => {
  await page.goto('/checkout');
  await fillIn(page, { city: '   ', phone: '' });
  await createOrder(page).click();
  await expect(alertOf(page)).toBeFocused();
  await expect(alertOf(page)).toContainText('Please fill all fields');
  await expect(alertOf(page)).toContainText('All shipping information fields are required.');
  await expect(alertOf(page).getByRole('link')).toHaveText(['Enter your city', 'Enter your phone number']);
  await expect(field(page, 'City')).toHaveAccessibleDescription('Error: Enter your city');
  await expectNoAxeFindings(page);
  await alertOf(page).getByRole('link', { name: 'Enter your phone number' }).click();
  await expect(field(page, 'Phone')).toBeFocused();
});

test('[spec 2.checkout.4, 2.checkout.5, 2.checkout.6, 3.order.7, 5.checkout.3, 4.forms.1] an unusual address orders, once, and goes on to pay', async ({
  page,
  api,
  signedInShopper,
  filledCart,
}) => {
  const bodies: unknown[] = [];
  const go = await hold(page, ORDERS, async (route) => {
    if (!isPost(route)) return route.fallback();
    bodies.push(route.request().postDataJSON());
    return route.continue();
  });
  await page.goto('/checkout');
  await fillIn(page, { postalCode: '012', phone: '98' });
  await field(page, 'Phone').blur();
  await expect(page.getByText('PIN codes have 6 digits and do not start with 0.')).toBeVisible();
  await expect(page.getByText('Mobile numbers have')).toBeVisible();
  await createOrder(page).click();
  const busy = page.getByRole('button', { name: 'Processing...' });
  await expect(busy).toBeFocused();
  await page.keyboard.press('Enter');
  await field(page, 'City').press('Enter');
  go();
  await expect(page).toHaveURL(/\/payment\?orderId=.+/);
  await expect(page.getByText('Order placed')).toBeVisible();
  await expect(page.getByText('Your order has been created.')).toBeVisible();
  expect(bodies).toEqual([
    {
      products: { [filledCart[0]?.id ?? '']: 2 },
      shippingAddress: { ...ADDRESS, postalCode: '012', phone: '98' },
      language: 'en',
      lines: [{ id: filledCart[0]?.id, quantity: 2, selectedSize: '', selectedColor: '' }],
    },
  ]);
  expect(await storedCart(page)).toEqual([]);
  const [order] = await api.orders(signedInShopper);
  expect(new URL(page.url()).searchParams.get('orderId')).toBe(order?.id);
});

test('[spec 2.checkout.7, 8.checkout.5] leads to the sign-in and back', async ({
  page,
  api,
  filledCart: _,
}) => {
  const shopper = await api.register();
  await page.goto('/checkout');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Login Required')).toBeVisible();
  await expect(page.getByText('Please login to proceed with checkout')).toBeVisible();
  await signInHere(page, shopper);
  await expect(page).toHaveURL(/\/checkout$/);
  await expect(createOrder(page)).toBeVisible();
});

test('[spec 8.checkout.1, 5.checkout.1] refuses an empty cart', async ({ page, signedInShopper: _ }) => {
  await page.goto('/checkout');
  await expect(page.getByText('Cart is empty', { exact: true })).toBeVisible();
  await expect(page.getByText('Please add items to your cart before checkout.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  await expect(createOrder(page)).toHaveCount(0);
});

test('[spec 8.checkout.3, 8.checkout.4] a refusal says so and keeps everything', async ({
  page,
  shop,
  signedInShopper: _,
  filledCart,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  await page.route(ORDERS, (route) => {
    if (!isPost(route)) return route.fallback();
    return route.fulfill({
      status: 400,
      json: {},
      headers: { 'Access-Control-Allow-Origin': shop.url, 'Access-Control-Allow-Credentials': 'true' },
    });
  });
  await page.goto('/checkout');
  await fillIn(page);
  await createOrder(page).click();
  await expect(page.getByText('Error placing order')).toBeVisible();
  await expect(page.getByText('Please try again later.')).toBeVisible();
  await expect(alertOf(page)).toHaveText('Failed to create order');
  await expect(createOrder(page)).toBeEnabled();
  await expect(field(page, 'City')).toHaveValue(ADDRESS.city);
  expect(await page.evaluate(() => localStorage.getItem('cart'))).toBe(JSON.stringify(filledCart));
});

test('[fault 67] what became dearer needs a yes', async ({ page, api, fillCart, signedInShopper }) => {
  const product = await api.product(isPlain);
  const line = toLine(product, { size: '', color: '', quantity: 1 });
  await fillCart([{ ...line, price: product.price - 5 }]);
  await page.goto('/checkout');
  const review = page.getByRole('region', { name: 'Changed since you filled your cart' });
  await expect(review).toContainText(
    `was ${formatRupees(product.price - 5)}, now ${formatRupees(product.price)}`,
  );
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText(
    formatRupees(product.price),
  );
  await fillIn(page);
  await createOrder(page).click();
  await expect(alertOf(page)).toContainText('Some prices have gone up');
  expect(await api.orders(signedInShopper)).toEqual([]);
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Accept new prices' }).click();
  await expect(page.getByText('New prices accepted')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Order summary' })).toBeFocused();
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
});

test('[fault 68] what is no longer sold has to be removed first', async ({
  page,
  api,
  fillCart,
  signedInShopper,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  const product = await api.product(({ price }) => price > 0);
  const line = toLine(product, { size: '', color: '', quantity: 1 });
  await fillCart([line, { ...line, id: 'gone', name: 'Gone Mango' }]);
  await page.goto('/checkout');
  const review = page.getByRole('region', { name: 'Changed since you filled your cart' });
  await expect(review).toContainText('No longer available.');
  await fillIn(page);
  await createOrder(page).click();
  await expect(alertOf(page)).toContainText('Some items can no longer be ordered');
  expect(await api.orders(signedInShopper)).toEqual([]);
  await page.getByRole('button', { name: 'Remove Gone Mango from cart' }).click();
  await expect(page.getByRole('group', { name: 'Order summary' })).toBeFocused();
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  expect((await api.orders(signedInShopper)).map(({ items }) => items.map(({ id }) => id))).toEqual([
    [product.id],
  ]);
});

test('[fault 18] offline, ordering waits and says why', async ({
  page,
  context,
  signedInShopper: _,
  filledCart: __,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST, /ERR_/);
  await page.goto('/checkout');
  await fillIn(page);
  await context.setOffline(true);
  await expect(createOrder(page)).toBeDisabled();
  await expect(createOrder(page)).toHaveAccessibleDescription(/^You are offline\./);
  await field(page, 'City').press('Enter');
  await context.setOffline(false);
  await expect(createOrder(page)).toBeEnabled();
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
});
