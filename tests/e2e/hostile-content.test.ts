import type { Page } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { ATTACKS } from '#tests/support/attacks.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { answerProduct, answerProducts, wireProduct } from '#tests/support/wire-products.ts';

// Escaping must hold by itself: here the browser does not enforce the policy.
test.use({ bypassCSP: true });

const HOSTILE = [...ATTACKS, ...ATTACKS.map((attack) => `</title></textarea>${attack}`)];
const at = (index: number): string => HOSTILE[index % HOSTILE.length] ?? '';

const product = wireProduct({
  id: 'hostile',
  title: at(0),
  description: HOSTILE.join('\n'),
  category: at(1),
  parentCategory: at(2),
  images: HOSTILE.slice(0, 10).map((url) => ({ url })),
  attributes: [
    { key: 'Size', values: HOSTILE.slice(0, 20) },
    { key: 'Color', values: HOSTILE.slice(20, 40) },
    ...HOSTILE.map((attack) => ({ key: attack, values: [attack], metricUnit: attack })),
  ],
});

const order = (index: number) => ({
  id: `${index}${at(index)}`,
  status: index % 6,
  createdAt: at(index),
  items: [{ id: at(index), productTitle: at(index + 1), quantity: 1, price: 10 }],
  shippingAddress: {
    address: at(index),
    city: at(index + 1),
    state: at(index + 2),
    postalCode: at(index + 3),
  },
});

const field = (index: number) => ({
  name: `field${index}`,
  label: at(index),
  placeholder: at(index + 1),
  description: at(index + 2),
  type: ['text', 'select', 'checkbox', 'textarea'][index % 4],
  options: [at(index), at(index + 1)],
  rulesMessages: [at(index)],
  rules: { required: true },
  defaultValue: index % 2 ? at(index) : '',
});

/** Returns what tells whether any of it ran by now. */
async function watch(page: Page): Promise<() => Promise<boolean>> {
  await page.addInitScript(() =>
    Object.assign(window, { pwned: () => Object.assign(window, { ran: true }) }),
  );
  return () =>
    page.evaluate(async () => {
      // The test's own markup runs, and fails at the same address after all that stood there before it.
      await new Promise((resolve) => {
        Object.assign(window, { control: resolve });
        document.body.insertAdjacentHTML('beforeend', '<img src=x alt="" hidden onerror="control()">');
      });
      return 'ran' in window;
    });
}

const answer = (page: Page, path: string, json: unknown): Promise<unknown> =>
  page.route(`${API}/${path}`, (route) => route.fulfill({ json }));

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST, /ERR_/));

test('[fault 47] a hostile product and listing are text', async ({ page }) => {
  const ran = await watch(page);
  await answerProduct(page, product);
  await page.goto('/product/hostile');
  await expect(page.getByRole('heading', { level: 1 }).filter({ hasText: at(0) })).toBeVisible();
  await expect(page.locator('.product-text p').first()).toContainText(at(3));
  expect(await ran()).toBe(false);
  await answerProducts(
    page,
    HOSTILE.slice(0, 12).map((title, index) => ({ ...product, id: `h${index}`, title })),
  );
  await page.goto('/products?parentCategory=Nowhere');
  await expect(page.getByRole('main')).toContainText(at(11));
  await page.mouse.wheel(0, 2_000);
  expect(await ran()).toBe(false);
});

test('[fault 47] hostile orders, accounts and forms are text', async ({ page, signedInShopper: _ }) => {
  const ran = await watch(page);
  await answer(
    page,
    'orders',
    HOSTILE.map((_each, index) => order(index)),
  );
  await answer(page, 'accountInfo', {
    firstName: at(0),
    lastName: at(5),
    email: `${at(6)}@x.example`,
    createdAt: at(3),
  });
  await answer(
    page,
    'payments/fields',
    HOSTILE.map((_each, index) => field(index)),
  );
  await page.goto('/orders');
  await expect(page.getByRole('main')).toContainText(at(20));
  expect(await ran()).toBe(false);
  await page.goto('/account');
  await expect(page.getByRole('main')).toContainText(at(0));
  expect(await ran()).toBe(false);
  await page.goto(`/payment?orderId=${encodeURIComponent(order(0).id)}`);
  await expect(page.getByRole('main')).toContainText(at(4));
  await page.getByRole('main').getByRole('button').last().click({ force: true });
  expect(await ran()).toBe(false);
});

test('[fault 47] hostile store texts and errors are text', async ({ page }) => {
  const ran = await watch(page);
  const [name, address] = [at(0), at(5)];
  await answer(page, 'storeInfo', {
    storeName: name,
    companyName: at(1),
    companyAddress: address,
    companyEmail: at(3),
    companyPhone: at(4),
    companyLogoUrl: at(16),
    description: at(2),
    categories: HOSTILE.slice(0, 5),
    categoryImages: Object.fromEntries(HOSTILE.map((attack) => [attack, attack])),
    policies: Object.fromEntries(HOSTILE.map((attack) => [attack, attack])),
  });
  await page.goto('/contact');
  await expect(page.getByRole('contentinfo')).toContainText(address);
  expect(await ran()).toBe(false);
  for (const [index, error] of [at(0), at(2), at(9)].entries()) {
    await page.route(`${API}/users/authorize`, (route) => route.fulfill({ status: 422, json: { error } }));
    await page.goto('/login');
    await page.getByLabel('Email').fill(`asha${index}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('mango-season');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: error }).first()).toBeVisible();
    expect(await ran()).toBe(false);
  }
});

test('[fault 47] hostile lines of a cart are text', async ({ page, fillCart, signedInShopper: _ }) => {
  const ran = await watch(page);
  const lines = HOSTILE.slice(0, 24).map((name, index) => ({
    id: `h${index}`,
    name,
    image: at(index + 1),
    price: 10,
    quantity: 1,
    selectedSize: at(index + 2),
    selectedColor: at(index + 3),
  }));
  await fillCart(lines);
  for (const address of ['/cart', '/checkout']) {
    await page.goto(address);
    for (const text of [at(0), at(2), at(23)])
      await expect(page.getByRole('main').getByText(text).first()).toBeAttached();
    expect(await ran()).toBe(false);
  }
});
