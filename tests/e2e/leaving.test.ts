import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Route } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { goBack, watchReturn } from '#tests/support/page-checks.ts';

test.use({ backForwardCache: true });

type Left = { orderId: string; productId: string };

const trackOrder = async (page: Page, { orderId }: Left): Promise<void> => {
  await expect(page.getByLabel('Email or Phone')).not.toHaveValue('');
  await page.getByLabel('Order Number').fill(orderId);
  await page.getByRole('button', { name: 'Track Order' }).click();
};

const PAGES: readonly {
  name: string;
  address: (left: Left) => string;
  /** What hangs. */
  call: string;
  /** What the visitor does to have it asked, where the page does not ask by itself. */
  ask?: (page: Page, left: Left) => Promise<void>;
}[] = [
  { name: 'home', address: () => '/', call: `${API}/products?*` },
  { name: 'the listing', address: () => '/products', call: `${API}/products?*` },
  { name: 'a product', address: ({ productId }) => `/product/${productId}`, call: `${API}/products/*` },
  { name: 'the cart', address: () => '/cart', call: `${API}/products/*` },
  { name: 'the account', address: () => '/account', call: `${API}/accountInfo` },
  { name: 'the orders', address: () => '/orders', call: `${API}/orders` },
  { name: 'an order’s tracking', address: () => '/track-order', call: `${API}/orders/*`, ask: trackOrder },
];

test('[fault 6] Back to a half-loaded cart asks for prices', async ({
  page,
  filledCart,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED/);
  expect(filledCart).toHaveLength(1);
  const held: Route[] = [];
  await page.route('**/_astro/api.*.js', (route) => void held.push(route));
  await page.goto('/cart', { waitUntil: 'commit' });
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await expect(page.locator('[data-hydrated=true]').first()).toBeVisible();
  const shown = await watchReturn(page);
  await page.goto('/contact');
  for (const route of held) await route.abort();
  await page.unrouteAll();
  const answer = page.waitForResponse(`${API}/products/*`);
  await goBack(page);
  expect((await answer).status()).toBe(200);
  expect(await shown()).toContain('Back: ');
});

for (const { name, address, call, ask } of PAGES) {
  test(`[fault 6] leaving ${name} ends what it asked for, and Back asks again`, async ({
    page,
    api,
    filledCart,
    signedInShopper,
  }) => {
    const left = { orderId: (await api.order(signedInShopper)).id, productId: filledCart[0]?.id ?? '' };
    // The server is asked: a browser's tools call every request failed whose page is left, also one that goes on.
    const open: ServerResponse[] = [];
    const hanging = createServer((_request, response) => open.push(response)).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    await page.route(call, (route) =>
      route.continue({ url: route.request().url().replace(API, `http://127.0.0.1:${port}`) }),
    );
    await page.goto(address(left));
    await ask?.(page, left);
    await expect.poll(() => open.length).toBeGreaterThan(0);
    const shown = await watchReturn(page);
    await page.goto('/contact');
    await expect.poll(() => open.every(({ destroyed }) => destroyed)).toBe(true);

    await page.unroute(call);
    const answer = page.waitForResponse(call);
    await goBack(page);
    expect((await answer).status()).toBe(200);
    expect(await shown()).toContain('Back: ');
    hanging.closeAllConnections();
    hanging.close();
  });
}
