import { formatRupees } from '#domain/money.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { isPlain, storedCart } from '#tests/support/samples.ts';

test('an order is bought again at today’s prices, and what is gone is said', async ({
  page,
  api,
  shop,
  signedInShopper,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  const [kept, gone] = (await api.products()).filter(isPlain);
  if (!kept || !gone) throw new Error('The demo catalogue is too small.');
  await api.order(signedInShopper, {
    status: 'delivered',
    quantities: { [kept.id]: 2, [gone.id]: 1 },
  });
  const today = kept.price + 7;
  await page.route(`**/api/v1/products/${kept.id}`, async (route) => {
    const answer = await route.fetch({ url: `${shop.apiUrl}/api/v1/products/${kept.id}` });
    const { data, ...bare } = await answer.json();
    const product = { ...(data ?? bare), regularPrice: today, discountedPrice: null };
    await route.fulfill({ response: answer, json: product });
  });
  await page.route(`**/api/v1/products/${gone.id}`, (route) => route.fulfill({ status: 404, json: {} }));
  await page.route('**/api/v1/products?*', (route) => route.fulfill({ json: { data: [], count: 0 } }));

  await page.goto('/orders');
  await page.getByRole('button', { name: 'Buy again' }).click();
  const outcome = page.getByRole('status').filter({ hasText: 'In your cart at today’s prices.' });
  await expect(outcome).toContainText(
    `${kept.name}: was ${formatRupees(kept.price)}, now ${formatRupees(today)}`,
  );
  await expect(outcome).toContainText(`“${gone.name}” is no longer sold.`);
  expect(await storedCart(page)).toMatchObject([{ id: kept.id, quantity: 2, price: today }]);
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await outcome.getByRole('link', { name: 'View cart' }).click();
  await expect(page.getByText(kept.name).first()).toBeVisible();
});
