import { createServer, type ServerResponse } from 'node:http';
import type { Page, Route } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { listenLocally } from '#tests/support/free-port.ts';
import { createOrderButton, fillAddress, openPayment, payNow } from '#tests/support/page.ts';
import { expectHiddenOnReturn, goBack, watchReturn } from '#tests/support/page-checks.ts';
import type { ShopClient, SignedIn } from '#tests/support/shop-client.ts';

/* Leaving a page and Back, with the browser's back/forward cache. */

test.use({ backForwardCache: true });

const NAME = 'Meera Kulkarni';

type Scene = { page: Page; api: ShopClient; shopper: SignedIn };

/** Tracks an order. Returns the personal texts of the page. */
async function findOrder({ page, api, shopper }: Scene): Promise<string[]> {
  const { number } = await api.order(shopper);
  await page.goto('/track-order');
  await expect(page.getByLabel('Email or Phone')).toHaveValue(shopper.email);
  await page.getByLabel('Order Number').fill(number);
  await page.getByRole('button', { name: 'Track Order' }).click();
  await expect(page.getByRole('heading', { name: `Order ${number}` })).toBeFocused();
  return [`Order ${number}`, shopper.email];
}

const typeName = async ({ page }: Scene): Promise<string[]> => {
  await page.goto('/checkout');
  await page.getByLabel('Full name').fill(NAME);
  return [NAME];
};

/** Each opens a personal page, and returns its personal texts. */
const PERSONAL: Readonly<Record<string, (scene: Scene) => Promise<string[]>>> = {
  'the account': async ({ page, shopper }) => {
    await page.goto('/account');
    await expect(page.getByText(shopper.email)).toBeVisible();
    return [shopper.email];
  },
  'an address that was typed': typeName,
  'the orders': async ({ page, api, shopper }) => {
    const { number } = await api.order(shopper);
    await page.goto('/orders');
    await expect(page.getByRole('heading', { name: number })).toBeVisible();
    return [number];
  },
  'a payment': async ({ page, api, shopper }) => {
    await openPayment(page, api, shopper);
    const number = page.getByText(/^FF-\d+-\w{4}$/);
    await expect(number).toBeVisible();
    return [(await number.textContent()) ?? ''];
  },
  'an order that was tracked': findOrder,
};

for (const [name, open] of Object.entries(PERSONAL)) {
  test(`after signing out in another tab, Back does not show ${name}`, async ({
    page,
    context,
    api,
    signedInShopper: shopper,
    filledCart: _,
  }) => {
    const personal = await open({ page, api, shopper });
    const address = page.url().endsWith('/track-order') ? /\/track-order$/ : /\/login$/;
    await expectHiddenOnReturn(page, context, personal, address);
  });
}

test('Back shows a signed-in customer what they typed and found', async ({
  page,
  api,
  signedInShopper: shopper,
  filledCart: _,
}) => {
  await typeName({ page, api, shopper });
  await page.goto('/contact');
  await goBack(page);
  await expect(page.getByLabel('Full name')).toHaveValue(NAME);
  const [heading = ''] = await findOrder({ page, api, shopper });
  await page.goto('/contact');
  await goBack(page);
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect(page.getByLabel('Email or Phone')).toHaveValue(shopper.email);
});

/** A page from the cache is the same, marked document. */
const markDocument = (page: Page) => page.evaluate(() => document.body.setAttribute('data-left', ''));
const isSameDocument = (page: Page) => page.evaluate(() => document.body.hasAttribute('data-left'));

test('Back restores pages unchanged, but with what was added to the cart meanwhile', async ({ page }) => {
  for (const address of ['/', '/products', '/cart', '/about', '/contact', '/track-order', '/login']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await markDocument(page);
    await page.goto('/terms');
    await goBack(page);
    await expect(page).toHaveURL(address);
    expect(await isSameDocument(page), address).toBe(true);
  }
  await page.goto('/');
  await markDocument(page);
  await page.goto('/products');
  await page
    .getByRole('button', { name: /^Add .*to cart$/i })
    .first()
    .click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' }).first()).toBeVisible();
  await goBack(page);
  await expect(page).toHaveURL('/');
  expect(await isSameDocument(page)).toBe(true);
  await expect(page.getByRole('link', { name: 'Cart, 1 item' }).first()).toBeVisible();
});

test('Back restores quantity, filter, page and scroll position', async ({ page }) => {
  const listing = '/products?parentCategory=fresh+fruits&page=2';
  await page.goto(listing);
  const cards = page.locator('.results .card h3 a');
  await expect(cards.first()).toBeVisible();
  const names = await cards.allTextContents();
  await cards.last().scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => Math.round(scrollY));
  expect(place).toBeGreaterThan(300);
  await markDocument(page);
  await cards.last().click();
  await expect(page).toHaveURL(/\/product\//);
  const product = page.url();
  await page.getByRole('button', { name: 'Increase quantity' }).first().click();
  await page.goto('/terms');
  await goBack(page);
  await expect(page).toHaveURL(product);
  await expect(page.getByRole('textbox', { name: 'Quantity' })).toHaveValue('2');
  await goBack(page);
  await expect(page).toHaveURL(listing);
  expect(await isSameDocument(page)).toBe(true);
  expect(await cards.allTextContents()).toEqual(names);
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(place);
});

test('Back shows an earlier page in Hindi after the switch', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.locator('.language').first()).toHaveText('हिन्दी');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact Us' }).click();
  await page.getByRole('contentinfo').getByRole('button', { name: 'हिन्दी' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('संपर्क करें');
  await goBack(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('नियम और शर्तें');
  await expect(page.locator('.policy-text')).toHaveAttribute('lang', 'en-IN');
});

test('Back from the gateway reloads the payment', async ({ page, api, signedInShopper }) => {
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/payments')) sent += 1;
  });
  const id = await openPayment(page, api, signedInShopper);
  await page.getByLabel('Pay with').selectOption('Card or net banking');
  await payNow(page).click();
  await expect(page).toHaveURL(/\/gateway\/pay$/);
  await page.goBack({ waitUntil: 'commit' });
  await expect(payNow(page)).toBeEnabled();
  await expect(page.getByLabel('Pay with')).toHaveValue('UPI QR');
  await api.pay(signedInShopper, id);
  await page.goto('/contact');
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.getByText('This order is already paid.')).toBeVisible();
  expect(sent).toBe(1);
});

test('after Back from the thank-you page, the checkout says that the order is paid', async ({
  page,
  api,
  signedInShopper: _,
  filledCart: __,
}) => {
  await page.goto('/checkout');
  await fillAddress(page);
  await createOrderButton(page).click();
  await payNow(page).click();
  const link = await page.getByRole('link', { name: 'Open UPI app' }).getAttribute('href');
  await api.answerUpi(link ?? '', 'succeeded');
  await expect(page).toHaveURL('/order-success');
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveURL('/checkout');
  await expect(page.getByRole('heading', { name: 'This order is already paid.' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Go to payment' })).toHaveCount(0);
});

type Left = { orderId: string; productId: string };

const trackOrder = async (page: Page, { orderId }: Left): Promise<void> => {
  await expect(page.getByLabel('Email or Phone')).not.toHaveValue('');
  await page.getByLabel('Order Number').fill(orderId);
  await page.getByRole('button', { name: 'Track Order' }).click();
};

const PAGES: readonly {
  name: string;
  address: (left: Left) => string;
  /** The request that gets no response. */
  call: string;
  /** What the visitor does to send it, if the page does not send it automatically. */
  send?: (page: Page, left: Left) => Promise<void>;
}[] = [
  { name: 'home', address: () => '/', call: `${API}/products?*` },
  { name: 'a product', address: ({ productId }) => `/product/${productId}`, call: `${API}/products/*` },
  { name: 'the cart', address: () => '/cart', call: `${API}/products/*` },
  { name: 'the orders', address: () => '/orders', call: `${API}/orders` },
  { name: 'an order’s tracking', address: () => '/track-order', call: `${API}/orders/*`, send: trackOrder },
];

test('Back to a half-loaded cart fetches the prices', async ({ page, filledCart, allowConsoleErrors }) => {
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

for (const { name, address, call, send } of PAGES) {
  test(`leaving ${name} aborts its request, and Back sends it again`, async ({
    page,
    api,
    filledCart,
    signedInShopper,
  }) => {
    const left = { orderId: (await api.order(signedInShopper)).id, productId: filledCart[0]?.id ?? '' };
    // Checks the server's connections, because the browser's tools report every request of a left page as failed.
    const open: ServerResponse[] = [];
    const hanging = createServer((_request, response) => open.push(response));
    const origin = await listenLocally(hanging);
    await page.route(call, (route) => route.continue({ url: route.request().url().replace(API, origin) }));
    await page.goto(address(left));
    await send?.(page, left);
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
