import type { BrowserContext, Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';
import { fillAddress, isPost, ORDERS, openCheckout } from '#tests/support/page.ts';
import type { ShopClient, SignedIn } from '#tests/support/shop-client.ts';

// The network is slow: a tab that orders beside another one does so before the other's answer has come.
test.beforeEach(({ fault }) => {
  fault({ call: 'POST /orders', delay: 1_000 });
  fault({ call: 'GET /products/:id', delay: 200 });
});

/** Three tabs with the checkout filled in. */
async function threeCheckouts(context: BrowserContext): Promise<Page[]> {
  const tabs = [await openCheckout(context), await openCheckout(context), await openCheckout(context)];
  for (const tab of tabs) await fillAddress(tab);
  return tabs;
}

/** A double click and Enter in every tab, faster than a hand can. */
const orderInAll = (tabs: readonly Page[]): Promise<unknown> =>
  Promise.all(
    tabs.map((tab) =>
      tab.evaluate(() => {
        const form = document.querySelector<HTMLFormElement>('form.form');
        const button = form?.querySelector<HTMLElement>('button[type=submit]');
        button?.click();
        button?.click();
        form?.requestSubmit();
      }),
    ),
  );

/** Where the tab goes by itself, or by the link of the order that another one has placed. */
async function paymentOf(tab: Page): Promise<string | null> {
  const placed = tab.getByRole('link', { name: 'Go to payment' });
  await expect(async () => {
    // It may go to the payment by itself while the link is reached for.
    if (await placed.isVisible()) await placed.click({ timeout: 1_000 });
    expect(tab.url()).toContain('/payment?orderId=');
  }).toPass();
  return new URL(tab.url()).searchParams.get('orderId');
}

/** Orders in three tabs at once; each of them must come to the payment of the one order. */
async function orderOnce(context: BrowserContext, api: ShopClient, shopper: SignedIn): Promise<void> {
  const tabs = await threeCheckouts(context);
  await orderInAll(tabs);
  const payments: (string | null)[] = [];
  for (const tab of tabs) payments.push(await paymentOf(tab));
  const orders = await api.orders(shopper);
  expect(orders).toHaveLength(1);
  expect(payments).toEqual(tabs.map(() => orders[0]?.id));
}

/** Counts the orders that are sent, and hands their headers on as `change` leaves them. */
async function countPosts(
  context: BrowserContext,
  change: (headers: Record<string, string>) => Record<string, string> = (headers) => headers,
): Promise<() => number> {
  let posts = 0;
  await context.route(ORDERS, (route) => {
    if (!isPost(route)) return route.fallback();
    posts += 1;
    return route.continue({ headers: change(route.request().headers()) });
  });
  return () => posts;
}

test('[fault 74] three tabs are one order by their lock alone, where the API knows no keys', async ({
  context,
  api,
  signedInShopper,
  filledCart: _,
}) => {
  const posts = await countPosts(context, ({ 'idempotency-key': _key, ...headers }) => headers);
  await orderOnce(context, api, signedInShopper);
  expect(posts()).toBe(1);
});

test('[fault 74] three tabs are one order by their key alone, where the browser has no locks', async ({
  context,
  api,
  signedInShopper,
  filledCart: _,
}) => {
  // As on pages served by http to another machine.
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'));
  const posts = await countPosts(context);
  await orderOnce(context, api, signedInShopper);
  expect(posts()).toBeGreaterThan(1);
});
