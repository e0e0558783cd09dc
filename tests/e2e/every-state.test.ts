import type { Locator, Page } from 'playwright/test';
import { toLine } from '#domain/cart.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import {
  callAfterPaint,
  ORDERS,
  openPayment,
  payNow,
  untilPainted,
  untilQuiet,
} from '#tests/support/page.ts';
import {
  expectNoAxeFindings,
  expectNoShift,
  SMALLEST_SHIFT,
  watchShifts,
} from '#tests/support/page-checks.ts';
import type { ShopClient, SignedIn } from '#tests/support/shop-client.ts';

/* Every initial state of a page, beyond those of every-page.test.ts: no layout shift, and no findings of axe. */

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

type Scene = { page: Page; api: ShopClient; shopper: SignedIn };

/** How to open a page, and what it finally shows. The shopper is signed in. */
type State = readonly [name: string, open: (scene: Scene) => Promise<unknown>, end: (page: Page) => Locator];

const at =
  (path: string) =>
  ({ page }: Scene) =>
    page.goto(path);

const withCart =
  (path: string, count: number) =>
  async ({ page, api }: Scene) => {
    const products = (await api.products()).filter(({ price }) => price > 0).slice(0, count);
    const lines = products.map((product) =>
      toLine(product, { size: product.sizes[0] ?? '', color: product.colors[0] ?? '', quantity: 2 }),
    );
    await page.addInitScript((text) => localStorage.setItem('cart', text), JSON.stringify(lines));
    await page.goto(path);
  };

const withOrders =
  (count: number) =>
  async ({ page, api, shopper }: Scene) => {
    for (let order = 0; order < count; order += 1) await api.order(shopper);
    await page.goto('/orders');
  };

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name });
const button = (name: string) => (page: Page) => page.getByRole('button', { name });

const STATES: readonly State[] = [
  ['a cart without lines', at('/cart'), heading('Your cart is empty')],
  ['a cart of six lines', withCart('/cart', 6), heading('Order summary')],
  [
    '[spec 8.checkout.1, 5.checkout.1] the checkout without lines',
    at('/checkout'),
    (page) => page.getByText('Please add items to your cart before checkout.'),
  ],
  ['the checkout', withCart('/checkout', 2), button('Create Order')],
  [
    'orders that cannot be loaded',
    async ({ page }) => {
      await page.route(ORDERS, (route) => route.fulfill({ status: 400 }));
      await page.goto('/orders');
    },
    heading('Your orders are not here yet'),
  ],
  ['one order', withOrders(1), (page) => page.getByRole('article')],
  ['three orders', withOrders(3), (page) => page.getByRole('article').last()],
  [
    'the payment of an order',
    ({ page, api, shopper }) => openPayment(page, api, shopper),
    (page) => payNow(page),
  ],
  [
    'the payment of an order that loads last',
    async ({ page, api, shopper }) => {
      const isFormShown = payNow(page).waitFor();
      await page.route(ORDERS, async (route) => {
        await isFormShown;
        await route.continue();
      });
      await openPayment(page, api, shopper);
    },
    (page) => page.getByText('To pay'),
  ],
  [
    'a code of a waiting payment',
    async ({ page, api, shopper }) => {
      await openPayment(page, api, shopper);
      await payNow(page).click();
      await expect(heading('Scan to pay')(page)).toBeVisible();
      await page.reload();
    },
    heading('Scan to pay'),
  ],
  [
    'an order that takes no payment',
    async ({ page, api, shopper }) => {
      const { id } = await api.order(shopper, { status: 'shipped' });
      await page.goto(`/payment?orderId=${id}`);
    },
    (page) => page.getByRole('alert').filter({ hasText: 'order' }),
  ],
  ['a payment without an order', at('/payment'), (page) => page.getByText('Order ID is missing')],
  ['a filtered listing', at('/products?category=melons'), (page) => page.locator('.results h3').first()],
  [
    'a listing without products',
    at('/products?category=unknown'),
    (page) => page.getByText('No products found'),
  ],
];

/** The states with two columns on a desktop. The others have the same layout as on a phone. */
const HAS_COLUMNS = /^(?:a cart of|the checkout$|the payment of|a code)/;

for (const { width, height } of SIZES) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height }, isMobile: width < 768, hasTouch: width < 768 });

    const shown = STATES.filter(([name]) => width < 768 || HAS_COLUMNS.test(name));
    for (const [name, open, end] of shown) {
      test(`${name}: has no layout shift while it loads, and axe finds nothing`, async ({
        page,
        api,
        signedInShopper: shopper,
        allowConsoleErrors,
      }) => {
        await watchShifts(page, SMALLEST_SHIFT);
        allowConsoleErrors(FAILED_REQUEST);
        await callAfterPaint(page.context(), `${API}/**`);
        await open({ page, api, shopper });
        await expect(end(page)).toBeVisible();
        await untilQuiet(page);
        await untilPainted(page);
        await expectNoShift(page);
        await expectNoAxeFindings(page);
      });
    }
  });
}

const KIB_A_SECOND = 80;

test('a page that arrives in pieces has no layout shift', async ({ page, api }) => {
  test.slow();
  const product = await api.product(({ price }) => price > 0);
  await watchShifts(page);
  await page.setExtraHTTPHeaders({ 'Accept-Encoding': 'identity' });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: KIB_A_SECOND * 1024,
    uploadThroughput: KIB_A_SECOND * 1024,
  });
  for (const path of [
    '/contact',
    '/',
    '/products',
    `/product/${product.id}`,
    '/terms',
    '/login',
    '/device',
  ]) {
    await page.goto(path, { waitUntil: 'load' });
    await expectNoShift(page);
  }
});

test('the text for an unavailable picture is readable on every panel, in both schemes', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  await page.route(/\.(?:avif|webp|svg)$/, (route) => route.abort());
  for (const path of ['/', '/products']) {
    await page.goto(path);
    // A page shows twelve panels, as many as there are tints.
    await page.locator('.card .panel').evaluateAll((panels) => {
      for (const [index, panel] of panels.entries())
        panel.setAttribute('class', `card-media panel tint-${index}`);
    });
    await page.locator('.categories, .results').first().scrollIntoViewIfNeeded();
    await expect(page.locator('.panel-placeholder').first()).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectNoAxeFindings(page, 'color-contrast');
    }
  }
});
