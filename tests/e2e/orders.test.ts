import { formatRupees } from '#domain/money.ts';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { ORDERS } from '#tests/support/checkout.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { signInHere } from '#tests/support/sign-in.ts';

const wireOrder = (change: object) => ({
  id: 'made-up',
  status: 0,
  createdAt: '2026-11-12T08:00:00Z',
  items: [{ id: 'mango', productTitle: 'Alphonso Mango', quantity: 2, price: 449.5 }],
  shippingAddress: { address: '12 MG Road', city: 'Pune', state: 'Maharashtra', postalCode: '411001' },
  ...change,
});

test('[spec 2.guard.1, 2.guard.3] signed out, it leads to the sign-in and back', async ({ page, api }) => {
  const shopper = await api.register();
  await page.goto('/orders');
  await expect(page).toHaveURL(/\/login$/);
  await signInHere(page, shopper);
  await expect(page).toHaveURL(/\/orders$/);
  await expect(page.getByRole('heading', { name: 'No Orders Found' })).toBeVisible();
});

test('[spec 2.guard.2] before the shopper is known it says nothing of the orders', async ({
  page,
  signedInShopper: _,
}) => {
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(ORDERS, async (route) => {
    await asked;
    await route.fulfill({ json: [] });
  });
  await page.goto('/orders');
  expect(await page.locator('main').innerText()).toBe('My Orders');
  answer();
  await expect(page.getByRole('heading', { name: 'No Orders Found' })).toBeVisible();
});

test('[spec 2.orders.11] [fault 130] older orders are shown on demand, and reading goes on with the first of them', async ({
  page,
  api,
  signedInShopper,
}) => {
  const quantities = { [(await api.product(({ price }) => price > 0)).id]: 1 };
  for (let count = 0; count < 52; count += 1) await api.order(signedInShopper, { quantities });
  await page.goto('/orders');
  await expect(page.getByRole('article')).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older orders' }).press('Enter');
  await expect(page.getByRole('article')).toHaveCount(52);
  await expect(page.getByRole('button', { name: 'Show older orders' })).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'My Orders' }).locator('> li').nth(50)).toBeFocused();
});

test('[spec 2.orders.6] without an order it offers the products', async ({ page, signedInShopper: _ }) => {
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'No Orders Found' })).toBeVisible();
  await expectNoAxeFindings(page);
  await expect(page.getByRole('link', { name: 'Browse Products' })).toHaveAttribute('href', '/products');
});

test('[spec 2.orders.1, 2.orders.2, 2.orders.3, 2.orders.4, 2.orders.5, 2.orders.9, 3.order.2, 3.order.4] it shows what was ordered', async ({
  page,
  api,
  signedInShopper,
}) => {
  const [first, second] = (await api.products()).filter(({ price }) => price > 0);
  if (!first || !second) throw new Error('The catalogue has too few products.');
  await api.order(signedInShopper, { status: 'delivered' });
  const { id } = await api.order(signedInShopper, { quantities: { [first.id]: 2, [second.id]: 1 } });
  await page.goto('/orders');

  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(2);
  const newest = cards.first();
  await expect(newest.getByRole('heading')).toHaveText(`#${id}`);
  await expect(newest.locator('time')).toHaveText(/^\d{1,2} \w+ 20\d\d$/);
  await expect(newest.getByText('Pending')).toBeVisible();
  await expect(newest.getByRole('listitem').filter({ hasText: first.name })).toContainText(
    `${first.name} × 2 ${formatRupees(first.price)} each${formatRupees(first.price * 2)}`,
  );
  await expect(newest.getByRole('listitem').filter({ hasText: second.name })).toContainText(
    `${second.name} × 1${formatRupees(second.price)}`,
  );
  await expect(newest).toContainText('Ship toAsha Rao, 12 MG Road, Pune, Maharashtra 411001');
  await expect(newest).toContainText('MethodStandard Shipping');
  await expect(newest).toContainText('TrackingNot available');
  await expect(newest).toContainText(`Total${formatRupees(first.price * 2 + second.price)}`);
  await expect(cards.last().getByText('Delivered')).toBeVisible();
  await expectNoAxeFindings(page);
});

test('an order’s number is shown short; one click selects the whole, which alone finds the order', async ({
  page,
  api,
  signedInShopper,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  const { id } = await api.order(signedInShopper);
  await page.goto('/orders');
  const number = page.getByRole('article').locator('.order-number');
  await expect(number).toHaveText(`#${id}`);
  const rest = number.locator('span');
  await expect(rest).toHaveText(id.slice(8));
  expect(await rest.evaluate((element) => element.getBoundingClientRect().width)).toBe(0);
  await number.click();
  const selected = await page.evaluate(() => String(getSelection()));
  expect(selected).toBe(`#${id}`);

  for (const [typed, answer] of [
    [`#${id.slice(0, 8)}`, page.getByText('Failed to find order.').first()],
    [selected, page.getByRole('heading', { name: `Order #${id}` })],
  ] as const) {
    await page.goto('/track-order');
    await page.getByLabel('Order Number').fill(typed);
    await page.getByLabel('Email or Phone').fill(signedInShopper.email);
    await page.getByRole('button', { name: 'Track Order' }).click();
    await expect(answer).toBeVisible();
  }
});

test('[spec 2.orders.7, 2.orders.8] Pay Now stands on Pending orders only and leads to their payment', async ({
  page,
  api,
  signedInShopper,
}) => {
  const { id } = await api.order(signedInShopper);
  for (const status of ['processing', 'shipped', 'delivered', 'cancelled'] as const) {
    await api.order(signedInShopper, { status });
  }
  await page.goto('/orders');
  await expect(page.getByRole('article')).toHaveCount(5);
  const payNow = page.getByRole('link', { name: 'Pay Now' });
  await expect(payNow).toHaveCount(1);
  await payNow.click();
  await expect(page).toHaveURL(`/payment?orderId=${id}`);
});

test('[spec 4.status.6, 4.status.7, 3.order.1, 3.order.5, 3.order.10] [fault 14] [fault 22] odd orders are shown as far as they can be', async ({
  page,
  signedInShopper: _,
}) => {
  const odd = [
    wireOrder({ id: 'no-status', status: undefined, createdAt: null }),
    wireOrder({ id: 'unknown', status: 9, createdAt: 'yesterday' }),
    wireOrder({ id: 'unreadable', status: 'lost', items: null, shippingAddress: null }),
    { id: '' },
    null,
  ];
  await page.route(ORDERS, (route) => route.fulfill({ json: odd }));
  await page.goto('/orders');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(3);
  await expect(cards.nth(0)).toContainText('Pending');
  await expect(cards.nth(1)).toContainText('Unknown (9)');
  await expect(cards.nth(2)).toContainText('Unknown');
  await expect(page.locator('main')).not.toContainText(/invalid|NaN|undefined|null/i);
  await expect(cards.nth(0)).toContainText(`Total${formatRupees(899)}`);
  await expect(cards.nth(2)).toContainText(`Total${formatRupees(0)}`);
});

/** The colour name of what the browser painted, `rgb(218, 243, 226)`: grey, or the nearest by hue in degrees. */
function colourName(painted: string): string {
  const [red = 0, green = 0, blue = 0] = painted.match(/\d+/g)?.map(Number) ?? [];
  const chroma = Math.max(red, green, blue) - Math.min(red, green, blue);
  if (chroma < 12) return 'grey';
  const degrees = (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI;
  const hues = { red: 0, yellow: 50, green: 130, blue: 215, purple: 265 };
  const away = (hue: number): number => Math.abs(((degrees - hue + 540) % 360) - 180);
  return Object.entries(hues).reduce((near, next) => (away(next[1]) < away(near[1]) ? next : near))[0];
}

test('[spec 4.status.8] a status is painted in its colour', async ({ page, signedInShopper: _ }) => {
  const colours = {
    Pending: 'yellow',
    Processing: 'blue',
    Shipped: 'purple',
    Delivered: 'green',
    Cancelled: 'red',
    'Unknown (5)': 'grey',
  };
  const orders = Object.keys(colours).map((label, status) => wireOrder({ id: label, status }));
  await page.route(ORDERS, (route) => route.fulfill({ json: orders }));
  await page.goto('/orders');
  for (const [label, colour] of Object.entries(colours)) {
    const badge = page.getByRole('article').getByText(label, { exact: true });
    const painted = await badge.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(`${label} ${colourName(painted)}`).toBe(`${label} ${colour}`);
  }
});

test('[spec 8.orders.1] a failure is told, and Try Again reads them anew', async ({
  page,
  api,
  signedInShopper,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  await api.order(signedInShopper);
  await page.route(ORDERS, (route) => route.fulfill({ status: 404, json: { error: 'Gone' } }));
  await page.goto('/orders');
  const toast = page.getByRole('alert').filter({ hasText: 'Failed to load your orders. Please try again.' });
  await expect(toast).toContainText('Error');
  await expect(page.getByRole('article')).toHaveCount(0);
  await expectNoAxeFindings(page);
  const again = page.getByRole('button', { name: 'Try Again' });
  const answered = page.waitForResponse(ORDERS);
  await again.click();
  await answered;
  await expect(again).toBeFocused();
  await page.unroute(ORDERS);
  await again.click();
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'My Orders' })).toBeFocused();
  await expectNoAxeFindings(page);
});

test('[spec 4.auth.4, 4.auth.5] [fault 36] a session the server ended leads to the sign-in', async ({
  page,
  context,
  shop,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  await context.addCookies([{ name: 'auth_token', value: 'ended', url: shop.url, sameSite: 'Lax' }]);
  await page.goto('/orders');
  await expect(page).toHaveURL(/\/login$/);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => sessionStorage.getItem('from'))).toBe('/orders');
});

test('[fault 47] what the server sends is shown as text', async ({ page, signedInShopper: _ }) => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  await page.route(ORDERS, (route) =>
    route.fulfill({
      json: {
        data: [
          wireOrder({
            id: evil,
            items: [{ id: evil, productTitle: evil, quantity: 1, price: 1 }],
            shippingAddress: { address: evil, city: evil, state: evil, postalCode: evil },
          }),
        ],
      },
    }),
  );
  await page.goto('/orders');
  await expect(page.getByRole('article')).toContainText(`${evil} × 1`);
  expect(await page.locator('article :is(img, script)').count()).toBe(0);
  await expect(page).toHaveTitle(/My Orders/);
  await expect(page.getByRole('link', { name: 'Pay Now' })).toHaveAttribute(
    'href',
    `/payment?orderId=${encodeURIComponent(evil)}`,
  );
});
