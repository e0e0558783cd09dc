import type { Page } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { createOrderButton, fillAddress, isPost, ORDERS } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { answerProduct, productDto } from '#tests/support/product-dtos.ts';
import { isPlain } from '#tests/support/samples.ts';

/* The API's answers about stock and terms are made here: the shop must show them whatever the server counts. */

const TERMS = {
  delivery: { charge: 40, freeFrom: null, places: [{ digits: '411', charge: 25 }], days: '', bulkDays: '' },
  served: ['411', '400'],
  orderMinimum: 10_000,
};

const answerTerms = (page: Page, change: object = {}) =>
  page.route(/\/api\/v1\/store(Info|Terms)$/, (route) => route.fulfill({ json: { ...TERMS, ...change } }));

const pause = { from: '2026-01-01', until: '2099-11-14', sentence: 'We are at a wedding.' };

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('a product that is sold out keeps its page, says when it is back, and cannot be added', async ({
  page,
  api,
}) => {
  const { id, name } = await api.product(isPlain);
  const dto = productDto({ id, title: name, availability: 'back_on', backOn: '2099-04-01' });
  await answerProduct(page, dto);
  await page.goto(`/product/${id}`);
  await expect(page.getByRole('status').getByText('Sold out, back in April')).toBeVisible();
  await expect(page.locator('.buy-add')).toBeDisabled();
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Add to Wishlist' }).click();
  await page.goto('/wishlist');
  const card = page.locator('.card');
  await expect(card.getByText('Sold out, back in April')).toBeVisible();
  await expect(card.getByRole('button', { name: /^Add/ })).toHaveCount(0);
});

test('a size that is sold out cannot be chosen, and another says how many are left', async ({
  page,
  api,
}) => {
  const { id, name, sizes } = await api.product((product) => product.sizes.length > 2);
  const [first, second] = sizes.map((size) => ({ size }));
  const dto = productDto({
    id,
    title: name,
    attributes: [{ key: 'size', values: sizes }],
    availability: 'in_stock',
    sizes: [
      { ...first, availability: 'sold_out' },
      { ...second, availability: 'few_left', left: 2 },
    ],
  });
  await answerProduct(page, dto);
  await page.goto(`/product/${id}`);
  await expect(page.getByRole('radio', { name: 'Sold out' })).toBeDisabled();
  await expect(page.getByRole('radio', { name: 'Only 2 left' })).toBeEnabled();
  await expectNoAxeFindings(page);
});

test('the cart says what will be refused, offers what is left, and charges by place', async ({
  page,
  filledCart: [line],
}) => {
  await answerTerms(page, { pause });
  const { id, name } = { id: '', name: '', ...line };
  await answerProduct(page, productDto({ id, title: name, availability: 'few_left', left: 1 }));
  await page.goto('/cart');
  const row = page.getByRole('listitem').filter({ hasText: name }).first();
  await expect(row.getByText(`“${name}”: only 1 left.`)).toBeVisible();
  const summary = page.getByRole('region', { name: 'Order summary' });
  await expect(summary).toContainText('ShippingBy PIN code');
  await expect(summary.getByRole('status')).toContainText('₹9,800 is missing.');
  await expect(summary.getByRole('status')).toContainText('14 November 2099');
  await expect(summary.getByRole('status')).toContainText('We are at a wedding.');
  await expectNoAxeFindings(page);
  await row.getByRole('button', { name: `Take 1 of ${name}` }).click();
  await expect(page.getByText('only 1 left')).toHaveCount(0);
  await page.evaluate(() => {
    localStorage.setItem('fresh-fruits.place', '411001');
  });
  await page.reload();
  await expect(summary).toContainText('Shipping₹25');
});

test('a PIN code that is not served is said at its field and blocks nothing; a refusal says why', async ({
  page,
  signedInShopper: _,
  filledCart: [line],
}) => {
  await answerTerms(page, { orderMinimum: null });
  await page.goto('/checkout');
  await fillAddress(page, { postalCode: '560001' });
  const code = page.getByLabel('PIN code', { exact: true });
  await code.fill('5600');
  await code.blur();
  await expect(code).toHaveAccessibleDescription(/do not start with 0/);
  await code.fill('560001');
  await expect(code).toHaveAccessibleDescription(/We do not deliver to 560001\. .* begin with 411, 400\./);
  await expect(page.getByRole('group', { name: 'Order summary' })).toContainText('shipping ₹40');
  const error = `“${line?.name}” is sold out.`;
  await page.route(ORDERS, (route) =>
    isPost(route)
      ? route.fulfill({ status: 422, json: { error, code: 'sold_out', target: line?.id } })
      : route.fallback(),
  );
  await createOrderButton(page).click();
  await expect(page.getByText('Error placing order')).toBeVisible();
  await expect(page.getByText('Please try again later.')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Changed since' })).toContainText(error);
  await expectNoAxeFindings(page);
});

test('the line of a pause comes with the store record, and goes with it', async ({ page }) => {
  await answerTerms(page, { pause });
  await page.goto('/contact');
  const text = page.getByText('We take no orders until 14 November 2099.');
  await expect(text).toBeVisible();
  await page.clock.install({ time: new Date('2099-11-15T00:01:00+05:30') });
  await page.goto('/contact');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(text).toBeHidden();
});
