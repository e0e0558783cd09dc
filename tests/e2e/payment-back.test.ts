import { expect, test } from '#tests/support/fixtures.ts';

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

test('[fault 44] after a sign-out Back shows no payment', async ({ page, api, context, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await page.goto(`/payment?orderId=${id}`);
  await expect(page.getByText(`#${id}`)).toBeVisible();
  await page.goto('/contact');
  await context.clearCookies();
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.locator('body').innerText()).not.toContain(id);
});
