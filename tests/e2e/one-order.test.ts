import type { BrowserContext, Page } from 'playwright/test';
import { formatOrderDate } from '#domain/date.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import {
  createOrderButton,
  delayCalls,
  fillAddress,
  isPost,
  loseAnswer,
  ORDERS,
  openCheckout,
  payNow,
  placeOrder,
  signInHere,
} from '#tests/support/page.ts';
import { ADDRESS, type ShopClient, type SignedIn } from '#tests/support/shop-client.ts';

const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1_000;

test('after lost answers the page says that the order is unconfirmed, and Try Again creates no second order', async ({
  page,
  api,
  shop,
  signedInShopper,
  filledCart: _,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST, /ERR_/);
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

/** Three tabs with the checkout filled in. */
async function threeCheckouts(context: BrowserContext): Promise<Page[]> {
  const tabs = [await openCheckout(context), await openCheckout(context), await openCheckout(context)];
  for (const tab of tabs) await fillAddress(tab);
  return tabs;
}

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
  const placed = tab.getByRole('link', { name: 'Go to payment' });
  await expect(async () => {
    // The tab may open the payment by itself before the click.
    if (await placed.isVisible()) await placed.click({ timeout: 1_000 });
    expect(tab.url()).toContain('/payment?orderId=');
  }).toPass();
  return new URL(tab.url()).searchParams.get('orderId');
}

/** Places the order in three tabs at once. Each of them must open the payment of the one order. */
async function placeOneOrder(context: BrowserContext, api: ShopClient, shopper: SignedIn): Promise<void> {
  const tabs = await threeCheckouts(context);
  await placeOrderInAll(tabs);
  const payments: (string | null)[] = [];
  for (const tab of tabs) payments.push(await paymentOf(tab));
  const orders = await api.orders(shopper);
  expect(orders).toHaveLength(1);
  expect(payments).toEqual(tabs.map(() => orders[0]?.id));
}

/** Counts the POSTs of orders. `change` edits their headers. */
async function countPosts(
  context: BrowserContext,
  change: (headers: Record<string, string>) => Record<string, string> = (headers) => headers,
): Promise<() => number> {
  let posts = 0;
  await context.route(ORDERS, (route) => {
    if (!isPost(route)) return route.fallback();
    posts += 1;
    return route.fallback({ headers: change(route.request().headers()) });
  });
  return () => posts;
}

test.describe('three tabs at once', () => {
  // With a slow network each tab sends its order before another tab's answer arrives.
  test.beforeEach(async ({ context }) => {
    await delayCalls(context, ORDERS, 1_000);
    await delayCalls(context, `${API}/products/*`, 200);
  });

  test('create one order with the lock alone, if the API has no idempotency keys', async ({
    context,
    api,
    signedInShopper,
    filledCart: _,
  }) => {
    const posts = await countPosts(context, ({ 'idempotency-key': _key, ...headers }) => headers);
    await placeOneOrder(context, api, signedInShopper);
    expect(posts()).toBe(1);
  });

  test('create one order with the key alone, if the browser has no locks', async ({
    context,
    api,
    signedInShopper,
    filledCart: _,
  }) => {
    // As on pages served over http.
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'));
    const posts = await countPosts(context);
    await placeOneOrder(context, api, signedInShopper);
    expect(posts()).toBeGreaterThan(1);
  });
});
