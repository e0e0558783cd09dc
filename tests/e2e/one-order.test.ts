import type { Page } from 'playwright/test';
import { formatOrderDate } from '#domain/date.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import {
  createOrderButton,
  fillAddress,
  isPost,
  loseAnswer,
  ORDERS,
  openCheckout,
  payNow,
  placeOrder,
  signInHere,
} from '#tests/support/page.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1_000;

test('after lost answers the page says that the order is unconfirmed, and Try Again creates no second order', async ({
  page,
  api,
  shop,
  signedInShopper,
  filledCart: _,
}) => {
  await page.route(ORDERS, async (route) => (isPost(route) ? loseAnswer(route, shop) : route.fallback()));
  await placeOrder(page);
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

test('after the session has expired, the sign-in restores the form and the order has the same key', async ({
  page,
  api,
  shop,
  context,
  filledCart: _,
}) => {
  const shopper = await api.newSignedIn();
  await context.addCookies([{ name: 'auth_token', value: 'expired', url: shop.url }]);
  const keys: (string | undefined)[] = [];
  await page.route(ORDERS, (route) => {
    if (isPost(route)) keys.push(route.request().headers()['idempotency-key']);
    return route.fallback();
  });
  await placeOrder(page);
  await expect(page).toHaveURL(/\/login$/);
  await signInHere(page, shopper);
  await expect(page).toHaveURL(/\/checkout$/);
  for (const [name, text] of Object.entries(ADDRESS))
    await expect(page.locator(`#${name}`)).toHaveValue(text);
  await createOrderButton(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await api.orders(shopper)).toHaveLength(1);
});

test('an order placed in one tab is shown in the other, with a link to its payment', async ({
  context,
  api,
  signedInShopper,
  filledCart: _,
}) => {
  const [first, second] = [await openCheckout(context), await openCheckout(context)];
  await fillAddress(second);
  await fillAddress(first);
  await createOrderButton(first).click();
  await expect(first).toHaveURL(/\/payment\?orderId=/);
  await expect(second.getByRole('heading', { name: 'Your order is already placed' })).toBeVisible();
  const [order] = await api.orders(signedInShopper);
  await second.getByRole('link', { name: 'Go to payment' }).click();
  await expect(second).toHaveURL(new RegExp(`orderId=${order?.id}`));
  expect(await api.orders(signedInShopper)).toHaveLength(1);
});

test('an order can be placed and paid with a clock two years ahead', async ({
  page,
  api,
  signedInShopper,
  filledCart: _,
}) => {
  await page.clock.install({ time: Date.now() + TWO_YEARS_MS });
  await placeOrder(page);
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  await payNow(page).click();
  await expect(page.getByRole('timer')).toHaveText(/^Pay within [45]:\d\d$/);
  const link = await page.getByRole('link', { name: 'Open UPI app' }).getAttribute('href');
  await api.answerUpi(link ?? '', 'succeeded');
  await expect(page).toHaveURL('/order-success');

  await page.goto('/orders');
  const order = page.getByRole('article');
  await expect(order).toContainText('Processing');
  const orders = await api.orders(signedInShopper);
  expect(orders).toHaveLength(1);
  await expect(order).toContainText(formatOrderDate(orders[0]?.createdAt ?? ''));
  await expect(page.locator('main')).not.toContainText(/invalid|NaN/i);
});

/** A double click and Enter in every tab at once. */
const placeOrderInAll = (tabs: readonly Page[]): Promise<unknown> =>
  Promise.all(
    tabs.map((tab) =>
      tab.evaluate(() => {
        const form = document.querySelector<HTMLFormElement>('main form');
        const button = form?.querySelector<HTMLElement>('button[type=submit]');
        button?.click();
        button?.click();
        form?.requestSubmit();
      }),
    ),
  );

/** The order of the payment page that the tab opens by itself or by the link to another tab's order. */
async function paymentOf(tab: Page): Promise<string | null> {
  const opened = tab.waitForURL(/\/payment\?orderId=/);
  await Promise.race([opened, tab.getByRole('link', { name: 'Go to payment' }).click()]);
  await opened;
  return new URL(tab.url()).searchParams.get('orderId');
}

test('three tabs at once create one order with the lock alone, if the API has no idempotency keys', async ({
  context,
  api,
  signedInShopper,
  filledCart: _,
}) => {
  const tabs = [await openCheckout(context), await openCheckout(context), await openCheckout(context)];
  for (const tab of tabs) await fillAddress(tab);
  let posts = 0;
  const othersWait = Promise.withResolvers<void>();
  await context.route(ORDERS, async (route) => {
    if (!isPost(route)) return route.fallback();
    posts += 1;
    await othersWait.promise;
    const { 'idempotency-key': _key, ...headers } = route.request().headers();
    return route.fallback({ headers });
  });
  await placeOrderInAll(tabs);
  const waiting = () => tabs[0]?.evaluate(async () => (await navigator.locks.query()).pending?.length);
  await expect.poll(waiting).toBe(2);
  othersWait.resolve();
  const payments: (string | null)[] = [];
  for (const tab of tabs) payments.push(await paymentOf(tab));
  const orders = await api.orders(signedInShopper);
  expect([posts, orders.length]).toEqual([1, 1]);
  expect(payments).toEqual(tabs.map(() => orders[0]?.id));
});
