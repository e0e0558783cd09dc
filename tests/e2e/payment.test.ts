import type { Page } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import { API } from '#tests/support/api-address.ts';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { openPayment, PAYMENT_FAILED, PNG, payNow, replacePayments } from '#tests/support/payment.ts';

test.describe('what the page is opened with', () => {
  test('[spec 2.guard.1, 2.guard.3] signed out, it leads to the sign-in and remembers the order', async ({
    page,
  }) => {
    await page.goto('/payment?orderId=7f3e21ab');
    await expect(page).toHaveURL(/\/login$/);
    expect(await page.evaluate(() => sessionStorage.getItem('from'))).toBe('/payment?orderId=7f3e21ab');
  });

  test('[spec 8.payment.1, 2.payment.2, 2.payment.8] [fault 120] without an order id it says so', async ({
    page,
    signedInShopper: _,
  }) => {
    await page.goto('/payment');
    await expect(page.getByText('Order ID is missing. Please return to checkout.')).toBeVisible();
    await expect(page.getByText('Test payments: no money moves.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Return to checkout' })).toHaveAttribute('href', '/checkout');
    await expectNoAxeFindings(page);
  });

  test('[spec 2.payment.5, 2.payment.6] the id comes from the address, else from the order this tab came to pay', async ({
    page,
    api,
    signedInShopper,
  }) => {
    const id = await openPayment(page, api, signedInShopper);
    await expect(page.getByText(`#${id}`)).toBeVisible();
    await page.goto('/payment');
    await expect(page.getByText(`#${id}`)).toBeVisible();
  });

  test('[spec 2.payment.1, 4.payment.1] [spec 2.guard.2] while the fields load there is not a word, then the form', async ({
    page,
    api,
    signedInShopper,
  }) => {
    const { id } = await api.order(signedInShopper);
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`${API}/payments/fields`, async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(`/payment?orderId=${id}`);
    expect(await page.locator('main').innerText()).toBe('Payment\n\nTest payments: no money moves.');
    answer();
    await expect(payNow(page)).toBeVisible();
  });

  test('[spec 8.payment.2, 2.payment.2] fields that cannot be loaded are told, and Try Again reads them anew', async ({
    page,
    api,
    signedInShopper,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(FAILED_REQUEST);
    const { id } = await api.order(signedInShopper);
    await page.route(`${API}/payments/fields`, (route) => route.fulfill({ status: 404, json: {} }));
    await page.goto(`/payment?orderId=${id}`);
    await expect(page.getByText('Failed to load payment form. Please try again later.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Return to checkout' })).toBeVisible();
    await expectNoAxeFindings(page);
    await page.unroute(`${API}/payments/fields`);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect(payNow(page)).toBeVisible();
    await expect(page.getByRole('form', { name: 'Payment' })).toBeFocused();
  });

  test('[spec 7.payments.2] [fault 16] without fields the button stands alone', async ({
    page,
    signedInShopper: _,
  }) => {
    const sent = await replacePayments(page, { fields: null, answer: { success: false, error: 'No' } });
    await page.goto('/payment?orderId=7f3e21ab');
    await expect(payNow(page)).toBeEnabled();
    expect(await page.locator('main :is(input, select, textarea)').count()).toBe(0);
    await payNow(page).click();
    await expect(page.getByText('No', { exact: true })).toBeVisible();
    expect(sent).toEqual([{ fields: {}, orderId: '7f3e21ab' }]);
  });

  for (const [status, text] of [
    ['processing', 'This order is already paid.'],
    ['cancelled', 'This order was cancelled. It cannot be paid.'],
  ] as const) {
    test(`[fault 75] [fault 76] an order that is ${status} takes no payment`, async ({
      page,
      api,
      signedInShopper,
    }) => {
      const { id } = await api.order(signedInShopper, { status });
      await page.goto(`/payment?orderId=${id}`);
      await expect(page.getByText(text)).toBeVisible();
      await expect(page.getByRole('link', { name: 'View My Orders' })).toHaveAttribute('href', '/orders');
      await expect(payNow(page)).toHaveCount(0);
      await expectNoAxeFindings(page);
    });
  }

  test('[spec 2.payment.7] back from the gateway without a payment it says so, and takes another', async ({
    page,
    api,
    signedInShopper,
  }) => {
    const { id } = await api.order(signedInShopper);
    await page.goto(`/payment?orderId=${id}&result=failed`);
    await expect(page.getByText('The payment did not go through. You can pay again.')).toBeVisible();
    await expect(payNow(page)).toBeEnabled();
  });
});

test.describe('what POST /payments answers', () => {
  const open = async (page: Page, answer: unknown): Promise<unknown[]> => {
    const sent = await replacePayments(page, { fields: [], answer });
    await page.goto('/payment?orderId=7f3e21ab');
    await payNow(page).click();
    return sent;
  };

  for (const [title, answer, text] of [
    [
      '[spec 4.payment.9, 8.payment.5]',
      { success: false, error: 'Card <b>refused</b>' },
      'Card <b>refused</b>',
    ],
    ['[spec 4.payment.11] [fault 52]', { success: true, redirectUrl: 'javascript:alert(1)' }, PAYMENT_FAILED],
  ] as const) {
    test(`${title} ${JSON.stringify(answer).slice(0, 90)} is told in the page`, async ({
      page,
      signedInShopper: _,
    }) => {
      await open(page, answer);
      await expect(page.getByText(text)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Return to checkout' })).toBeVisible();
      await expect(page).toHaveURL('/payment?orderId=7f3e21ab');
      await expectNoAxeFindings(page);
    });
  }

  test('[spec 8.payment.4] a submit that fails is told, and can be tried again', async ({
    page,
    signedInShopper: _,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(FAILED_REQUEST);
    await replacePayments(page, { fields: [] });
    await page.route(`${API}/payments`, (route) => route.abort());
    await page.goto('/payment?orderId=7f3e21ab');
    await payNow(page).click();
    await expect(page.getByText(PAYMENT_FAILED)).toBeVisible();
    await expect(page.locator('.error-summary')).toBeFocused();
    await page.unroute(`${API}/payments`);
    await replacePayments(page, { answer: { success: false, error: 'Still no' } });
    await payNow(page).click();
    await expect(page.getByText('Still no')).toBeVisible();
  });

  test('[spec 4.payment.8] neither action nor address: it is told, and My Orders opens', async ({
    page,
    signedInShopper: _,
  }) => {
    const sent = await open(page, { success: true });
    await expect(page).toHaveURL('/orders');
    const toast = page.getByRole('status').filter({ hasText: 'Payment initiated' });
    await expect(toast).toContainText('Your payment is being processed');
    expect(sent).toHaveLength(1);
  });

  test('[spec 4.payment.7] only an address: the browser goes there', async ({
    page,
    context,
    signedInShopper: _,
  }) => {
    await context.route('https://pay.example/**', (route) => route.fulfill({ body: 'The gateway' }));
    await open(page, { success: true, redirectUrl: 'https://pay.example/go?x=1' });
    await expect(page).toHaveURL('https://pay.example/go?x=1');
  });

  test('[spec 4.payment.2] [fault 54] redirect_post posts type, url and data[…], names as they are', async ({
    page,
    context,
    signedInShopper: _,
  }) => {
    const posted: (string | null)[] = [];
    await context.route('https://pay.example/**', (route) => {
      posted.push(route.request().method(), route.request().postData());
      return route.fulfill({ body: 'The gateway' });
    });
    const data = JSON.parse('{"submit":"1","__proto__":"2","action":"3","a b":"<&\\"₹"}');
    const formParams = { type: 'POST', url: 'https://elsewhere.example/', data };
    await open(page, {
      success: true,
      action: { type: 'redirect_post', redirectUrl: 'https://pay.example/form', formParams },
    });
    await expect(page).toHaveURL('https://pay.example/form');
    expect(posted[0]).toBe('POST');
    expect([...new URLSearchParams(posted[1] ?? '')]).toEqual([
      ['type', 'POST'],
      ['url', 'https://elsewhere.example/'],
      ['data[submit]', '1'],
      ['data[__proto__]', '2'],
      ['data[action]', '3'],
      ['data[a b]', '<&"₹'],
    ]);
  });

  test('[spec 4.payment.5] a picture is shown as the code', async ({ page, signedInShopper: _ }) => {
    await open(page, { success: true, action: { type: 'qr', qrBase64: PNG } });
    await expect(page.getByRole('img', { name: 'QR code of the payment' })).toHaveAttribute(
      'src',
      `data:image/png;base64,${PNG}`,
    );
    await expect(page.getByRole('link', { name: 'Open UPI app' })).toHaveCount(0);
  });

  test('[fault 74] a double click and Enter send one payment', async ({ page, signedInShopper: _ }) => {
    const fields = [{ name: 'upi', label: 'UPI ID', type: 'text' }];
    const sent = await replacePayments(page, {
      fields,
      answer: { success: true, action: { type: 'qr', qr: 'upi://pay' } },
    });
    await page.goto('/payment?orderId=7f3e21ab');
    await page.getByLabel('UPI ID').focus();
    await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('main button[type=submit]');
      for (let click = 0; click < 3; click += 1) button?.click();
      button?.form?.requestSubmit();
    });
    await expect(page.getByRole('heading', { name: 'Scan to pay' })).toBeVisible();
    expect(sent).toHaveLength(1);
  });
});

test.describe('the QR view', () => {
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
    const code = page.getByRole('img', { name: 'QR code of the payment' });
    await expect(code).toHaveAttribute('width', '256');
    expect((await code.boundingBox())?.width).toBe(256);
    const open = page.getByRole('link', { name: 'Open UPI app' });
    const link = (await open.getAttribute('href')) ?? '';
    expect(link).toMatch(/^upi:\/\/pay\?/);
    await expect(page.locator('.qr-facts')).toContainText(`Amount${formatRupees(product.price * 3)}`);
    await expect(page.locator('.qr-facts')).toContainText('Pay toFresh Fruits');
    await expect(page.getByRole('listitem').filter({ hasText: 'scan this code.' })).toBeVisible();
    await page.getByRole('button', { name: 'Copy payment link' }).click();
    await expect(page.getByText('Copied')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await expectNoAxeFindings(page);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test('[spec 4.payment.14, 7.payments.4] notices that the order is paid', async ({
    page,
    api,
    signedInShopper,
  }) => {
    const id = await openPayment(page, api, signedInShopper);
    await payNow(page).click();
    const link = await page.getByRole('link', { name: 'Open UPI app' }).getAttribute('href');
    await api.answerUpi(link ?? '', 'succeeded');
    await expect(page).toHaveURL('/order-success');
    expect(await api.orders(signedInShopper)).toMatchObject([{ id, status: 1 }]);
  });

  test('[spec 4.payment.15] notices that the order was cancelled', async ({ page, api, signedInShopper }) => {
    const id = await openPayment(page, api, signedInShopper);
    await payNow(page).click();
    await expect(page.getByText('Waiting for your payment')).toBeVisible();
    await api.setStatus(id, 'cancelled');
    await expect(page.getByText('This order was cancelled. It cannot be paid.')).toBeVisible();
  });

  test('[spec 4.payment.3] a deep link opens its app, and the page waits with the same code', async ({
    page,
    context,
    api,
    signedInShopper,
  }) => {
    const id = await openPayment(page, api, signedInShopper);
    await page.getByLabel('Pay with').selectOption('UPI app');
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.enable');
    const asked = new Promise<string>((resolve) => {
      devtools.on('Page.frameRequestedNavigation', ({ url }) => resolve(url));
    });
    await payNow(page).click();
    expect(await asked).toMatch(/^upi:\/\/pay\?/);
    await expect(page.getByRole('link', { name: 'Open UPI app' })).toHaveAttribute('href', /^upi:\/\/pay\?/);
    await expect(page.getByText('Waiting for your payment')).toBeVisible();
    await expect(page).toHaveURL(`/payment?orderId=${id}`);
  });

  test('[fault 75] a reload comes back to the code that waits, with what is left of its time, and starts no second payment', async ({
    page,
    api,
    signedInShopper,
  }) => {
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/v1/payments')) sent += 1;
    });
    await page.clock.install();
    await openPayment(page, api, signedInShopper);
    await payNow(page).click();
    const open = page.getByRole('link', { name: 'Open UPI app' });
    const link = await open.getAttribute('href');
    await page.clock.fastForward('02:00');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Scan to pay' })).toBeFocused();
    await expect(open).toHaveAttribute('href', link ?? '');
    await expect(page.getByRole('img', { name: 'QR code of the payment' })).toBeVisible();
    await expect(page.getByRole('timer')).toHaveText(/^Pay within [23]:\d\d$/);
    expect(sent).toBe(1);

    await page.clock.fastForward('03:30');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(payNow(page)).toBeVisible();
    await payNow(page).click();
    await expect(page.getByRole('timer')).toHaveText(/^Pay within [45]:\d\d$/);
    expect(sent).toBe(2);
    await api.answerUpi(link ?? '', 'succeeded');
    await page.reload();
    await expect(page.getByText('This order is already paid.')).toBeVisible();
  });

  test('the shopper may pay another way, and a reload keeps to that', async ({
    page,
    api,
    signedInShopper,
  }) => {
    await openPayment(page, api, signedInShopper);
    await payNow(page).click();
    await page.getByRole('button', { name: 'Pay another way' }).click();
    await expect(payNow(page)).toBeVisible();
    await expect(page.getByRole('main')).toBeFocused();
    await page.reload();
    await expect(payNow(page)).toBeVisible();
  });

  test('[fault 75] a reload reads the state anew', async ({ page, api, signedInShopper }) => {
    const id = await openPayment(page, api, signedInShopper);
    await payNow(page).click();
    await expect(page.getByRole('heading', { name: 'Scan to pay' })).toBeVisible();
    await api.setStatus(id, 'processing');
    await page.reload();
    await expect(page.getByText('This order is already paid.')).toBeVisible();
  });
});
