import type { Page } from 'playwright/test';
import { expect, type Services, test } from '#tests/support/fixtures.ts';
import { payNow } from '#tests/support/page.ts';
import type { ShopClient, SignedIn } from '#tests/support/shop-client.ts';

test.use({ takesMoney: true });
// Another worker would take longer to start than these tests.
test.describe.configure({ mode: 'default' });

const HOSTED = 'UPI, card or net banking';

/** Opens the payment of a new order, and chooses a payment method. Returns the order's id. */
async function choose(page: Page, api: ShopClient, shopper: SignedIn, method: string): Promise<string> {
  const { id } = await api.order(shopper);
  await page.goto(`/payment?orderId=${id}`);
  await page.getByLabel('Pay with').selectOption(method);
  await payNow(page).click();
  return id;
}

/** Completes the newest payment at a provider, like the shopper's UPI app, and sends its webhooks. */
async function payInApp({ fakes, apiUrl }: Services, name: string): Promise<void> {
  const provider = fakes.get(name)?.provider;
  const reference = provider?.references().at(-1) ?? '';
  for (const { headers, body } of provider?.end(reference, { outcome: 'succeeded' }, Date.now()) ?? [])
    await fetch(`${apiUrl}/api/v1/payments/callback/${name}`, { method: 'POST', headers, body });
}

const statusOf = async (api: ShopClient, shopper: SignedIn, id: string) =>
  (await api.orders(shopper)).find((order) => order.id === id)?.status;

for (const name of ['Razorpay', 'Cashfree'])
  test(`${name}'s page takes the payment, and a failed one can be retried`, async ({
    page,
    shop,
    api,
    signedInShopper,
  }) => {
    const id = await choose(page, api, signedInShopper, `${HOSTED} (${name})`);
    await page.getByRole('button', { name: 'Fail' }).click();
    await expect(page).toHaveURL(new RegExp(`^${shop.url}/payment\\?orderId=${id}`));
    expect(await statusOf(api, signedInShopper, id)).toBe(0);
    await page.getByLabel('Pay with').selectOption(`${HOSTED} (${name})`);
    await payNow(page).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await expect(page).toHaveURL('/order-success');
    expect(await statusOf(api, signedInShopper, id)).toBe(1);
  });

for (const method of ['UPI QR (Cashfree)', 'UPI app (Cashfree)'])
  test(`${method} waits until it is paid`, async ({ page, shop, api, signedInShopper }) => {
    const id = await choose(page, api, signedInShopper, method);
    await expect(page.getByText('Waiting for your payment')).toBeVisible();
    await payInApp(shop, 'cashfree');
    await expect(page).toHaveURL('/order-success');
    expect(await statusOf(api, signedInShopper, id)).toBe(1);
  });

test('cash on delivery confirms the order at once', async ({ page, api, signedInShopper }) => {
  const id = await choose(page, api, signedInShopper, 'Cash on delivery');
  await expect(page).toHaveURL('/order-success');
  expect(await statusOf(api, signedInShopper, id)).toBe(1);
});
