import { formatRupees } from '#domain/money.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectAlive, translatePage } from '#tests/support/other-programs.ts';
import { hold, ORDERS, openPayment, payNow, useOldBrowser } from '#tests/support/page.ts';

test('[spec 2.payment.1, 4.payment.1, 2.guard.2, 8.payment.2, 2.payment.2] shows no text while the fields load, an error if they cannot be loaded, and after Try Again the form', async ({
  page,
  api,
  signedInShopper,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  const answer = await hold(page, `${API}/payments/fields`, (route) =>
    route.fulfill({ status: 404, json: {} }),
  );
  await openPayment(page, api, signedInShopper);
  expect(await page.locator('main').innerText()).toBe('Payment\n\nTest payments: no money moves.');
  answer();
  await expect(page.getByText('Failed to load payment form. Please try again later.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Return to checkout' })).toBeVisible();
  await page.unroute(`${API}/payments/fields`);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('form', { name: 'Payment' })).toBeFocused();
});

test('[spec 2.payment.4, 4.payment.4, 4.payment.6, 4.payment.13] shows the code, amount, payee and how to pay', async ({
  page,
  context,
  api,
  signedInShopper,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const product = await api.product(({ price }) => price > 0);
  const { id } = await api.order(signedInShopper, { quantities: { [product.id]: 3 } });
  await page.goto(`/payment?orderId=${id}`);
  await payNow(page).click();
  await expect(page.getByRole('heading', { name: 'Scan to pay' })).toBeFocused();
  const open = page.getByRole('link', { name: 'Open UPI app' });
  const link = (await open.getAttribute('href')) ?? '';
  expect(link).toMatch(/^upi:\/\/pay\?/);
  // On a phone the button for the app is above the code.
  const [app, code] = [
    await open.boundingBox(),
    await page.getByRole('img', { name: 'QR code of the payment' }).boundingBox(),
  ];
  expect(code?.width).toBe(256);
  expect(app?.y ?? 0).toBeLessThan(code?.y ?? 0);
  const facts = page.getByRole('region', { name: 'Scan to pay' }).locator('dl');
  await expect(facts).toContainText(`Amount${formatRupees(product.price * 3)}`);
  await expect(facts).toContainText('Pay toFresh Fruits');
  await expect(page.getByRole('listitem').filter({ hasText: 'scan this code.' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy payment link' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('a payment whose code did not load is shown again, and no second one is started', async ({
  page,
  api,
  signedInShopper,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  const code = '**/QrCode.*.js';
  await page.route(code, (route) => route.abort());
  await openPayment(page, api, signedInShopper);
  await payNow(page).click();
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible();
  await page.unroute(code);
  await page.reload();
  await expect(page.getByRole('img', { name: 'QR code of the payment' })).toBeVisible();
});

test('a reload shows the pending payment again, and after its expiry another one can be paid', async ({
  page,
  api,
  signedInShopper,
}) => {
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/payments')) sent += 1;
  });
  await page.clock.install();
  await useOldBrowser(page);
  const id = await openPayment(page, api, signedInShopper);
  await payNow(page).click();
  const open = page.getByRole('link', { name: 'Open UPI app' });
  const timer = page.getByRole('timer');
  await expect(timer).toHaveText(/^Pay within [45]:\d\d$/);
  const link = await open.getAttribute('href');
  await page.clock.fastForward('02:00');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Scan to pay' })).toBeFocused();
  await expect(open).toHaveAttribute('href', link ?? '');
  await expect(timer).toHaveText(/^Pay within [23]:\d\d$/);
  expect(sent).toBe(1);

  await page.clock.fastForward('03:30');
  await expect(timer).toContainText('The time for this payment is over.');
  const again = page.getByRole('button', { name: 'Try again' });
  const release = await hold(page, ORDERS);
  await again.click();
  await expect(again).toBeDisabled();
  release();
  await expect(payNow(page)).toBeVisible();
  await page.unroute(ORDERS);
  await payNow(page).click();
  await expect(timer).toHaveText(/^Pay within [45]:\d\d$/);
  expect(sent).toBe(2);
  await api.answerUpi((await open.getAttribute('href')) ?? '', 'succeeded');
  await page.clock.runFor(20_000);
  await expect(page).toHaveURL('/order-success');
  expect(await api.orders(signedInShopper)).toMatchObject([{ id, status: 1 }]);
});

test('[spec 2.payment.7] after a failed payment or by Pay another way the form is shown, also after a reload', async ({
  page,
  api,
  signedInShopper,
}) => {
  const { id } = await api.order(signedInShopper);
  await page.goto(`/payment?orderId=${id}&result=failed`);
  await expect(page.getByText('The payment did not go through. You can pay again.')).toBeVisible();
  await expect(payNow(page)).toBeVisible();
  await translatePage(page);
  await payNow(page).click();
  await expect(page.getByText('Waiting for your payment …')).toBeVisible();
  await page.getByRole('button', { name: 'Pay another way' }).click();
  await expect(payNow(page)).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await expectAlive(page);
  await page.reload();
  await expect(payNow(page)).toBeEnabled();
});
