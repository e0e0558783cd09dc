import type { Page } from 'playwright/test';
import type { Cart } from '#domain/cart.ts';
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
import { STATE_VISITS } from '#tests/support/visits.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

/* Every initial state of a page, beyond those of every-page.test.ts: no layout shift, and no findings of axe. */

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

type Scene = { page: Page; api: ShopClient; shopper: SignedIn; fillCart: (lines: Cart) => Promise<void> };

/** How to open a page for the signed-in shopper. Returns a text that it finally shows. */
type State = readonly [name: string, open: (scene: Scene) => Promise<string>];

const STATES: readonly State[] = [
  ...STATE_VISITS.map(
    ({ name, prepare }): State => [
      name,
      async ({ page, api, shopper, fillCart }) => {
        const { address, cart, shows } = await prepare(api, shopper);
        if (cart) await fillCart(cart);
        await page.goto(address);
        return shows;
      },
    ],
  ),
  [
    'orders that cannot be loaded',
    async ({ page }) => {
      await page.route(ORDERS, (route) => route.fulfill({ status: 400 }));
      await page.goto('/orders');
      return 'Your orders are not here yet';
    },
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
      return 'To pay';
    },
  ],
  [
    'a code of a waiting payment',
    async ({ page, api, shopper }) => {
      await openPayment(page, api, shopper);
      await payNow(page).click();
      await expect(page.getByRole('heading', { name: 'Scan to pay' })).toBeVisible();
      await page.reload();
      return 'Scan to pay';
    },
  ],
];

/** The states with two columns on a desktop. The others have the same layout as on a phone. */
const HAS_COLUMNS = /^(?:a cart of|the checkout$|the payment of|a code)/;

for (const { width, height } of SIZES) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height }, isMobile: width < 768, hasTouch: width < 768 });

    const shown = STATES.filter(([name]) => width < 768 || HAS_COLUMNS.test(name));
    for (const [name, open] of shown) {
      test(`${name}: has no layout shift while it loads, and axe finds nothing`, async ({
        page,
        api,
        fillCart,
        signedInShopper: shopper,
      }) => {
        await watchShifts(page, SMALLEST_SHIFT);
        await callAfterPaint(page.context(), `${API}/**`);
        const shows = await open({ page, api, shopper, fillCart });
        await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible();
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

test('the text for an unavailable picture is readable on every panel, in both schemes', async ({ page }) => {
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
