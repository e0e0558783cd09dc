import { formatRupees } from '#domain/money.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { ORDERS } from '#tests/support/page.ts';

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
  await expect(page.getByRole('link', { name: 'Browse Products' })).toHaveAttribute('href', '/products');
});

test('[spec 2.orders.1, 2.orders.2, 2.orders.3, 2.orders.4, 2.orders.5, 2.orders.7, 2.orders.8, 2.orders.9, 3.order.2, 3.order.4] it shows what was ordered', async ({
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
  await expect(page.getByRole('link', { name: 'Pay Now' })).toHaveCount(1);
  await newest.getByRole('link', { name: 'Pay Now' }).click();
  await expect(page).toHaveURL(`/payment?orderId=${id}`);
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
  const again = page.getByRole('button', { name: 'Try Again' });
  const answered = page.waitForResponse(ORDERS);
  await again.click();
  await answered;
  await expect(again).toBeFocused();
  await page.unroute(ORDERS);
  await again.click();
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'My Orders' })).toBeFocused();
});
