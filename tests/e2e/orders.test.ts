import { formatPaise, formatRupees } from '#domain/money.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import {
  expectAlive,
  openTranslated,
  reportNoNetwork,
  translatePage,
} from '#tests/support/other-programs.ts';
import { loseAnswer, ORDERS, useOldBrowser } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { isPlain, storedCart } from '#tests/support/samples.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('[spec 2.orders.11] Show older orders adds them and moves the focus to the first', async ({
  page,
  api,
  signedInShopper,
}) => {
  await useOldBrowser(page);
  const quantities = { [(await api.product(({ price }) => price > 0)).id]: 1 };
  for (let count = 0; count < 52; count += 1) await api.order(signedInShopper, { quantities });
  await page.goto('/orders');
  await expect(page.getByRole('article')).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older orders' }).press('Enter');
  await expect(page.getByRole('article')).toHaveCount(52);
  await expect(page.getByRole('button', { name: 'Show older orders' })).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'My Orders' }).locator('> li').nth(50)).toBeFocused();
  await page.reload();
  await expect(page.getByRole('article')).toHaveCount(52);
});

test('[spec 2.orders.1, 2.orders.2, 2.orders.3, 2.orders.4, 2.orders.5, 2.orders.7, 2.orders.8, 2.orders.9, 2.orders.6, 3.order.2, 3.order.3, 8.orders.1] shows where to buy, then a failure, and after Try Again items, amounts, address and status', async ({
  page,
  api,
  signedInShopper,
}) => {
  const [first, second] = (await api.products()).filter(({ price }) => price > 0);
  if (!first || !second) throw new Error('The catalogue has too few products.');
  await page.goto('/orders');
  await expect(page.getByRole('link', { name: 'Browse Products' })).toHaveAttribute('href', '/products');
  await api.order(signedInShopper, { status: 'delivered' });
  const { id, number } = await api.order(signedInShopper, { quantities: { [first.id]: 2, [second.id]: 1 } });

  await page.route(ORDERS, (route) => route.fulfill({ status: 404, json: { error: 'Not found' } }));
  await page.goto('/orders');
  const toast = page.getByRole('alert').filter({ hasText: 'Failed to load your orders. Please try again.' });
  await expect(toast).toContainText('Error');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(0);
  const again = page.getByRole('button', { name: 'Try Again' });
  const answered = page.waitForResponse(ORDERS);
  await again.click();
  await answered;
  await expect(again).toBeFocused();
  await page.unroute(ORDERS);
  await again.click();
  await expect(cards).toHaveCount(2);
  await expect(page.getByRole('list', { name: 'My Orders' })).toBeFocused();

  const newest = cards.first();
  await expect(newest.getByRole('heading')).toHaveText(number);
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
  await expect(page.getByRole('link', { name: 'Pay Now' })).toHaveCount(1);
  await newest.getByRole('link', { name: 'Pay Now' }).click();
  await expect(page).toHaveURL(`/payment?orderId=${id}`);
});

test('one click selects the number of an order, or without one the whole id, which finds it on the tracking page', async ({
  page,
  api,
  signedInShopper,
}) => {
  const order = await api.order(signedInShopper);
  const { id } = order;
  await page.goto('/orders');
  const number = page.getByRole('article').getByRole('heading').locator(':scope > span');
  await expect(number).toHaveText(order.number);
  await page.route(ORDERS, (route) => route.fulfill({ json: [{ ...order, number: undefined }] }));
  await page.reload();
  await expect(number).toHaveText(`#${id}`);
  const rest = number.locator('span').last();
  await expect(rest).toHaveText(id.slice(8));
  expect(await rest.evaluate((element) => element.getBoundingClientRect().width)).toBe(0);
  await number.click();
  const selected = await page.evaluate(() => String(getSelection()));
  expect(selected).toBe(`#${id}`);

  await page.goto('/track-order');
  await page.getByLabel('Order Number').fill(selected);
  await expect(page.getByLabel('Email or Phone')).toHaveValue(signedInShopper.email);
  await page.getByRole('button', { name: 'Track Order' }).click();
  await expect(page.getByRole('heading', { name: `Order ${order.number}` })).toBeVisible();
});

test('a reorder fills the cart at today’s prices and lists items that are no longer sold', async ({
  page,
  api,
  shop,
  signedInShopper,
}) => {
  const [sold, discontinued] = (await api.products()).filter(isPlain);
  if (!sold || !discontinued) throw new Error('The demo catalogue is too small.');
  await api.order(signedInShopper, {
    status: 'delivered',
    quantities: { [sold.id]: 2, [discontinued.id]: 1 },
  });
  const today = sold.price + 7;
  await page.route(`**/api/v1/products/${sold.id}`, async (route) => {
    const answer = await route.fetch({ url: `${shop.apiUrl}/api/v1/products/${sold.id}` });
    const { data, ...bare } = await answer.json();
    const product = { ...(data ?? bare), regularPrice: today, discountedPrice: null };
    await route.fulfill({ response: answer, json: product });
  });
  await page.route(`**/api/v1/products/${discontinued.id}`, (route) =>
    route.fulfill({ status: 404, json: {} }),
  );
  await page.route('**/api/v1/products?*', (route) => route.fulfill({ json: { data: [], count: 0 } }));

  await reportNoNetwork(page);
  await page.goto('/orders');
  await page.getByRole('button', { name: 'Buy again' }).click();
  const outcome = page.getByRole('status').filter({ hasText: 'In your cart at today’s prices.' });
  await expect(outcome).toContainText(
    `${sold.name}: was ${formatRupees(sold.price)}, now ${formatRupees(today)}`,
  );
  await expect(outcome).toContainText(`“${discontinued.name}” is no longer sold.`);
  await expect.poll(() => storedCart(page)).toMatchObject([{ id: sold.id, quantity: 2, price: today }]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await translatePage(page);
  await page.getByRole('button', { name: 'Buy again' }).click();
  await expect.poll(() => storedCart(page)).toMatchObject([{ id: sold.id, quantity: 4 }]);
  await expectAlive(page);
  await outcome.getByRole('link', { name: 'View cart' }).click();
  await expect(page.getByText(sold.name).first()).toBeVisible();
});

const CANCEL = '**/api/v1/orders/*/cancel';

test('a double click cancels a paid order once, shows its refund and sends an email', async ({
  page,
  api,
  shop,
  signedInShopper: shopper,
}) => {
  const { id, amounts } = await api.order(shopper);
  await api.pay(shopper, id);
  let calls = 0;
  await page.route(CANCEL, (route) => {
    calls += 1;
    return route.continue();
  });
  await openTranslated(page, '/orders');
  const card = page.getByRole('article');
  await card.getByRole('button', { name: 'Cancel order' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' });
  await expect(dialog).toContainText('goes back the way it came');
  await expectNoAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Cancel order' })).toBeFocused();

  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Cancel the order' }).dblclick();
  await expect(card.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  await expect(card).toContainText(`We are returning ${formatPaise(amounts.total)}`);
  await expect(page.getByRole('listitem').filter({ has: card })).toBeFocused();
  await expect(page.getByText('Order cancelled')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Cancel order' })).toHaveCount(0);
  expect(calls).toBe(1);
  await expectAlive(page);
  await shop.email(shopper.email, / was cancelled$/);
});

test('Cancel order shows the real status: in a second tab, after shipping, offline and after a lost answer', async ({
  page,
  context,
  api,
  shop,
  signedInShopper: shopper,
}) => {
  const [first, second, third] = [
    await api.order(shopper),
    await api.order(shopper),
    await api.order(shopper),
  ];
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto('/orders');
  const cardIn = (tab: typeof page, { number }: typeof first) =>
    tab.getByRole('article').filter({ hasText: number });
  const press = async (tab: typeof page, order: typeof first) => {
    await cardIn(tab, order).getByRole('button', { name: 'Cancel order' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click();
  };
  for (const tab of [page, other]) {
    await press(tab, first);
    await expect(cardIn(tab, first)).toContainText('Cancelled');
  }

  await api.setStatus(second.id, 'shipped');
  await press(page, second);
  await expect(page.getByText(TOO_LATE_TO_CANCEL)).toBeVisible();
  await expect(cardIn(page, second)).toContainText('Shipped');

  await context.setOffline(true);
  await press(page, third);
  await expect(page.getByRole('alert').filter({ hasText: 'The shop did not answer.' })).toBeVisible();
  await context.setOffline(false);
  await page.route(CANCEL, (route) => loseAnswer(route, shop));
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click();
  await expect(cardIn(page, third)).toContainText('Cancelled');
});

test('an order in two parcels shows both, and says while another follows', async ({
  page,
  api,
  signedInShopper,
}) => {
  const order = await api.order(signedInShopper);
  const url = 'https://www.bluedart.com/tracking/P2';
  const parcels = [
    { carrier: 'DTDC', number: 'P1' },
    { carrier: 'Blue Dart', number: 'P2', url },
  ];
  let sent = parcels.slice(0, 1);
  await page.route(ORDERS, (route) => {
    const status = sent.length;
    return route.fulfill({ json: [{ ...order, status, tracking: sent.at(-1), parcels: sent }] });
  });
  await page.goto('/orders');
  const card = page.getByRole('article');
  await expect(card).toContainText('DTDC P1');
  await expect(card).toContainText('The rest follows.');
  sent = parcels;
  await page.reload();
  await expect(card.getByRole('link', { name: 'Blue Dart P2' })).toHaveAttribute('href', url);
  await expect(card).toContainText('DTDC P1');
  await expect(card).not.toContainText('The rest follows.');
});
