import { expectHiddenOnReturn } from '#tests/support/back.ts';
import { createOrder, fillAddress } from '#tests/support/checkout.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { payNow } from '#tests/support/payment.ts';

test.use({ backForwardCache: true });

test('[fault 75] Back from the gateway reads the payment anew, and sends nothing again', async ({
  page,
  api,
  signedInShopper,
}) => {
  const { id } = await api.order(signedInShopper);
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/payments')) sent += 1;
  });
  await page.goto(`/payment?orderId=${id}`);
  await page.getByLabel('Pay with').selectOption('Card or net banking');
  await page.getByRole('button', { name: 'Pay Now' }).click();
  await expect(page).toHaveURL(/\/gateway\/pay$/);
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: 'Pay Now' })).toBeEnabled();
  await expect(page.getByLabel('Pay with')).toHaveValue('UPI QR');
  await api.setStatus(id, 'processing');
  await page.goto('/contact');
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.getByText('This order is already paid.')).toBeVisible();
  expect(sent).toBe(1);
});

test('[fault 75] Back from the thank-you page the checkout says that the order is paid, and offers no payment', async ({
  page,
  api,
  signedInShopper: _,
  filledCart: __,
}) => {
  await page.goto('/checkout');
  await fillAddress(page);
  await createOrder(page).click();
  await payNow(page).click();
  const link = await page.getByRole('link', { name: 'Open UPI app' }).getAttribute('href');
  await api.answerUpi(link ?? '', 'succeeded');
  await expect(page).toHaveURL('/order-success');
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveURL('/checkout');
  await expect(page.getByRole('heading', { name: 'This order is already paid.' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Go to payment' })).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'My Orders' }).click();
  await expect(page).toHaveURL('/orders');
});

test('[fault 75] Back to a code that waits shows the same code', async ({ page, api, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await page.goto(`/payment?orderId=${id}`);
  await payNow(page).click();
  const open = page.getByRole('link', { name: 'Open UPI app' });
  const link = await open.getAttribute('href');
  await page.goto('/contact');
  await page.goBack({ waitUntil: 'commit' });
  await expect(open).toHaveAttribute('href', link ?? '');
});

test('[fault 44] after a sign-out Back shows no payment', async ({ page, api, context, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await page.goto(`/payment?orderId=${id}`);
  await expect(page.getByText(`#${id}`)).toBeVisible();
  await expectHiddenOnReturn(page, context, [id]);
});
