import type { Page } from 'playwright/test';
import { toLine } from '#domain/cart.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { chooseHindi, expectHindi, openHindi as open } from '#tests/support/hindi.ts';
import { untilQuiet } from '#tests/support/page.ts';
import { answerProduct, answerProducts, productDto } from '#tests/support/product-dtos.ts';
import { isPlain } from '#tests/support/samples.ts';
import type { ShopClient } from '#tests/support/shop-client.ts';

/** Presses a button of the open page. Expects this text after it, and nothing in English. */
async function expectHindiAfter(page: Page, api: ShopClient, button: string, text: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await expect(page.getByText(text).first()).toBeVisible();
  await expectHindi(page, api);
}

test('errors, notices and dialogs are in Hindi', async ({ page, api }) => {
  await chooseHindi(page);
  for (const [path, button, text] of [
    ['/contact', 'संदेश भेजें', 'अपना संदेश लिखें'],
    ['/products', 'क्रम और फ़िल्टर', 'कीमत: कम से ज़्यादा'],
    ['/login', 'साइन इन करें', 'पासवर्ड कम से कम 6 अक्षर का होना चाहिए'],
    ['/register', 'अकाउंट बनाएँ', 'उपनाम कम से कम 2 अक्षर का होना चाहिए'],
    ['/track-order', 'ऑर्डर ट्रैक करें', 'ऑर्डर नंबर लिखें'],
  ] as const) {
    await open(page, path);
    await expectHindiAfter(page, api, button, text);
  }
  await open(page, '/search?q=aam');
  await expect(page.getByText(/“aam” के लिए/)).toBeVisible();
  await expectHindi(page, api, ['aam']);

  const { id } = await api.product(({ sizes }) => sizes.length > 1);
  await open(page, `/product/${id}`);
  await page.locator('.buy-add').click();
  await expect(page.getByText('कार्ट में जोड़ने से पहले साइज़ चुनना ज़रूरी है')).toBeVisible();
  await page.getByRole('button', { name: 'विशलिस्ट में जोड़ें' }).click();
  await expectHindi(page, api);
});

test('cart and checkout are in Hindi', async ({ page, api, filledCart, signedInShopper: _ }) => {
  await chooseHindi(page);
  await open(page, '/cart');
  for (const [button, text] of [
    ['कार्ट शेयर करें', 'WhatsApp'],
    ['कार्ट खाली करें', 'कार्ट खाली हो गया'],
    ['वापस लाएँ', 'पहले जैसा कर दिया गया'],
    [`${filledCart[0]?.name} को कार्ट से हटाएँ`, 'आपका कार्ट खाली है'],
  ] as const)
    await expectHindiAfter(page, api, button, text);
  await page.getByRole('button', { name: 'वापस लाएँ' }).click();

  await open(page, '/checkout');
  await page.getByRole('button', { name: 'आइटम दिखाएँ' }).click();
  await expectHindiAfter(page, api, 'ऑर्डर करें', 'अपना पिन कोड लिखें');
});

test('does not translate the catalogue', async ({ page, allowConsoleErrors }) => {
  // A product that is newer than the build is shown by 404.html.
  allowConsoleErrors(FAILED_REQUEST);
  const product = productDto({
    title: 'Contact Us',
    category: 'Cart',
    description: 'Home',
    attributes: [
      { key: 'Size', values: ['Search', 'Menu'] },
      { key: 'Company', values: ['Help'] },
    ],
  });
  await answerProducts(page, [product, productDto({ id: 'new-2', title: 'Wishlist' })]);
  await answerProduct(page, product);
  await chooseHindi(page);
  await open(page, '/products?category=unknown');
  const [card, other] = [page.locator('.card').first(), page.locator('.card').last()];
  await expect(card.locator('.card-name')).toHaveText('Contact Us');
  await expect(card.locator('.card-category')).toHaveText('Cart');
  await expect(other.getByRole('button', { name: 'Wishlist' })).toContainText('कार्ट में जोड़ें');
  await open(page, '/product/new-1');
  const shown = page.locator('.product');
  for (const [part, text] of [
    ['h1', 'Contact Us'],
    ['.product-text p', 'Home'],
  ] as const) {
    await expect(shown.locator(part)).toHaveText(text);
    await expect(shown.locator(part)).toHaveAttribute('lang', 'en-IN');
  }
  await expect(shown.locator('[data-text=category]')).toHaveText('Cart');
  await expect(shown.locator('.options li').filter({ visible: true })).toHaveText(['Search', 'Menu']);
  await expect(shown.locator('.specs dd').first()).toHaveText('Help');
  await expect(shown.locator('.buy-add')).toHaveText('कार्ट में जोड़ें');
});

test('account, orders and payment are in Hindi', async ({ page, api, signedInShopper }) => {
  await chooseHindi(page);
  const statuses = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const;
  for (const status of statuses) await api.order(signedInShopper, { status });
  const orders = await api.orders(signedInShopper);
  const { firstName, lastName } = signedInShopper;
  const own = [...orders.map(({ number }) => number), firstName, lastName];
  for (const order of orders) own.push(...Object.values(order.shippingAddress));
  const { email, password: current, token } = signedInShopper;
  await api.ask('users/email', { email: `new.${email}`, current }, token);
  await open(page, '/account');
  await expect(page.getByText(`आपका ईमेल पता new.${email} हो जाएगा`)).toBeVisible();
  await expectHindi(page, api, own);
  await open(page, '/orders');
  await expect(page.getByText('डिलीवर हो गया')).toBeVisible();
  await expectHindi(page, api, own);
  for (const question of ['ऑर्डर रद्द करें', 'सामान लौटाएँ']) {
    await page.getByRole('button', { name: question }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectHindi(page, api, own);
    await page.keyboard.press('Escape');
  }

  const pending = orders.find(({ status }) => status === 0);
  await open(page, `/payment?orderId=${pending?.id}`);
  await expect(page.getByRole('button', { name: 'अभी पेमेंट करें' })).toBeVisible();
  await expectHindi(page, api, own);
  await page.getByRole('button', { name: 'अभी पेमेंट करें' }).click();
  await expect(page.getByText('आपके पेमेंट का इंतज़ार है …')).toBeVisible();
  await expectHindi(page, api, own);

  // The headings are outside the forms.
  await open(page, '/account-change');
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('आपका नाम');
});

test('the switch loads Hindi and translates in place, and back', async ({ page, api, fillCart }) => {
  const product = await api.product(isPlain);
  await fillCart([toLine(product, { size: '', color: '', quantity: 2 })]);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto('/contact');
  const toHindi = page.getByRole('contentinfo').getByRole('button', { name: 'हिन्दी' });
  await page.getByLabel('Name').fill('Cart');
  await untilQuiet(page);
  expect(requests.filter((address) => /\/(?:hindi|hi-islands)\./.test(address))).toEqual([]);
  await toHindi.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('संपर्क करें');
  await expect(page.getByLabel('नाम')).toHaveValue('Cart');
  await expect(page).toHaveTitle(/^संपर्क करें \| /);

  await page.goto('/cart');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('आपका कार्ट 2 आइटम');
  await page.getByRole('button', { name: 'मात्रा बढ़ाएँ' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('आपका कार्ट 3 आइटम');

  await page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your cart 3 items');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-IN');
  expect(await page.evaluate(() => localStorage.getItem('fresh-fruits.language'))).toBeNull();
});
