import type { Page } from 'playwright/test';
import { toLine } from '#domain/cart.ts';
import { formatRupees } from '#domain/money.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectAlive, fillByProgram, openTranslated, translatePage } from '#tests/support/other-programs.ts';
import { createOrderButton, fillAddress, hold, isPost, ORDERS } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { isPlain, storedCart } from '#tests/support/samples.ts';
import { ADDRESS, LABELLED_ADDRESS } from '#tests/support/shop-client.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const alertOf = (page: Page) => page.getByRole('main').getByRole('alert');
const summaryOf = (page: Page) => page.getByRole('region', { name: 'Order summary' });
const changesOf = (page: Page) => page.getByRole('region', { name: 'Changed since you filled your cart' });

test.beforeEach(({ signedInShopper: _, allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('[spec 2.checkout.1, 2.checkout.2, 2.checkout.3, 2.checkout.8, 8.checkout.2] the browser can autofill, a paste is normalised, a PIN code suggests its state, and blank fields are listed', async ({
  page,
  filledCart,
}) => {
  await page.goto('/checkout');
  for (const [label, autocomplete, inputmode] of [
    ['Full name', 'shipping name', 'text'],
    ['Address', 'shipping street-address', 'text'],
    ['City', 'shipping address-level2', 'text'],
    ['State', 'shipping address-level1', 'text'],
    ['PIN code', 'shipping postal-code', 'numeric'],
    ['Phone', 'shipping tel', 'tel'],
  ] as const) {
    await expect(field(page, label)).toHaveAttribute('autocomplete', autocomplete);
    await expect(field(page, label)).toHaveAttribute('inputmode', inputmode);
  }
  const total = formatRupees((filledCart[0]?.price ?? 0) * 2);
  await summaryOf(page).getByRole('button', { name: 'Show items' }).click();
  await expect(summaryOf(page).getByText(`${filledCart[0]?.name} × 2`)).toBeVisible();
  await expect(summaryOf(page)).toContainText('ShippingFree');
  await expect(summaryOf(page)).toContainText(`Total${total}`);

  await translatePage(page);
  await field(page, 'Phone').fill('+91 98765-43210');
  await expect(field(page, 'Phone')).toHaveValue('9876543210');
  const state = field(page, 'State');
  await field(page, 'PIN code').fill('४११ ००१');
  await expect(field(page, 'PIN code')).toHaveValue('411001');
  const suggestion = page.getByRole('button', { name: 'Use Maharashtra' });
  await expect(suggestion).toBeVisible();
  await state.fill('Goa');
  await expect(suggestion).toBeVisible();
  await expect(state).toHaveValue('Goa');
  await suggestion.click();
  await expect(state).toHaveValue('Maharashtra');
  await expect(state).toBeFocused();
  await expect(suggestion).toHaveCount(0);

  await fillAddress(page, { city: '   ', phone: '' });
  await createOrderButton(page).click();
  await expect(alertOf(page)).toBeFocused();
  await expect(alertOf(page)).toContainText('Please fill all fields');
  await expect(alertOf(page).getByRole('link')).toHaveText(['Enter your city', 'Enter your phone number']);
  await expect(field(page, 'City')).toHaveAccessibleDescription('Error: Enter your city');
  await expectNoAxeFindings(page);
  await alertOf(page).getByRole('link', { name: 'Enter your phone number' }).click();
  await expect(field(page, 'Phone')).toBeFocused();
  await expectAlive(page);
});

test('[spec 2.checkout.4, 2.checkout.5, 2.checkout.6, 3.order.7, 8.checkout.3, 4.forms.1] offline and after a refusal address and cart stay; then an unusual address is one order', async ({
  page,
  context,
  api,
  signedInShopper,
  filledCart,
}) => {
  await openTranslated(page, '/checkout');
  await fillAddress(page, { postalCode: '012', phone: '98' });
  await field(page, 'Phone').blur();
  await expect(page.getByText('PIN codes have 6 digits and do not start with 0.')).toBeVisible();
  await expect(page.getByText('Mobile numbers have')).toBeVisible();

  await context.setOffline(true);
  await expect(createOrderButton(page)).toHaveAccessibleDescription(/^You seem to be offline\./);
  await createOrderButton(page).click();
  await expect(alertOf(page)).toContainText('connect to the internet');
  await context.setOffline(false);
  await expect(createOrderButton(page)).not.toHaveAccessibleDescription(/offline/);

  await page.route(ORDERS, (route) =>
    isPost(route) ? route.fulfill({ status: 400, json: {} }) : route.fallback(),
  );
  await createOrderButton(page).click();
  await expect(page.getByText('Error placing order')).toBeVisible();
  await expect(page.getByText('Please try again later.')).toBeVisible();
  await expect(alertOf(page)).toHaveText('Failed to create order');
  await expect(createOrderButton(page)).toBeEnabled();
  await expect(field(page, 'City')).toHaveValue(ADDRESS.city);
  await expect.poll(() => storedCart(page)).toEqual(filledCart);
  await page.unroute(ORDERS);

  // The summary above the button grows when it is read.
  const address = `${ADDRESS.address}, ${'behind the old market '.repeat(6)}gate`;
  await fillByProgram(page, { address, fullName: 'Meera' });
  // A key in one field leaves the others as they are.
  await field(page, 'City').press('End');
  await field(page, 'City').pressSequentially(' 1');
  await expect(field(page, 'Address')).toHaveValue(address);
  await expectAlive(page);
  const bodies: unknown[] = [];
  const go = await hold(page, ORDERS, async (route) => {
    if (!isPost(route)) return route.fallback();
    bodies.push(route.request().postDataJSON());
    return route.continue();
  });
  await createOrderButton(page).click();
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeFocused();
  await page.keyboard.press('Enter');
  await field(page, 'City').press('Enter');
  go();
  await expect(page).toHaveURL(/\/payment\?orderId=.+/);
  await expect(page.getByText('Your order has been created.')).toBeVisible();
  expect(bodies).toEqual([
    {
      products: { [filledCart[0]?.id ?? '']: 2 },
      shippingAddress: {
        address,
        fullName: 'Meera',
        city: 'Pune 1',
        state: ADDRESS.state,
        postalCode: '012',
        phone: '98',
      },
      language: 'en',
      expectedTotal: amountsOf(filledCart).total / 100,
      lines: [{ id: filledCart[0]?.id, quantity: 2, selectedSize: '', selectedColor: '' }],
    },
  ]);
  await expect.poll(() => storedCart(page)).toEqual([]);
  const [order] = await api.orders(signedInShopper);
  expect(new URL(page.url()).searchParams.get('orderId')).toBe(order?.id);
});

test('before the order, an item that is no longer sold must be removed and a higher price accepted', async ({
  page,
  api,
  fillCart,
  signedInShopper,
}) => {
  const product = await api.product(isPlain);
  const was = product.price - 5;
  const line = { ...toLine(product, { size: '', color: '', quantity: 1 }), price: was };
  await fillCart([line, { ...line, id: 'discontinued', name: 'Discontinued Mango' }]);
  await page.goto('/checkout');
  await expect(changesOf(page)).toContainText('“Discontinued Mango” is no longer sold.');
  await expect(changesOf(page)).toContainText(`was ${formatRupees(was)}, now ${formatRupees(product.price)}`);
  await expect(summaryOf(page)).toContainText(formatRupees(product.price));
  await fillAddress(page);
  await createOrderButton(page).click();
  await expect(alertOf(page)).toContainText('Some items can no longer be ordered');
  await page.getByRole('button', { name: 'Remove Discontinued Mango from cart' }).click();
  await createOrderButton(page).click();
  await expect(alertOf(page)).toContainText('Some prices have gone up');
  expect(await api.orders(signedInShopper)).toEqual([]);
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Accept new prices' }).click();
  await expect(page.getByText('New prices accepted')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Order summary' })).toBeFocused();
  await createOrderButton(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  expect(await api.orders(signedInShopper)).toMatchObject([{ items: [{ id: product.id }] }]);
});

test('saves an address only if the customer ticks the box', async ({ page, filledCart }) => {
  const saved = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('fresh-fruits.addresses') ?? 'null'));
  const placeOrderAgain = async (remember: boolean) => {
    await page.goto('/cart');
    await page.evaluate((cart) => localStorage.setItem('cart', cart), JSON.stringify(filledCart));
    await page.goto('/checkout');
    await fillAddress(page);
    const box = page.getByRole('checkbox', { name: 'Remember this address on this device' });
    await expect(box).not.toBeChecked();
    await box.setChecked(remember);
    await expect(page.locator('#order-recap')).toContainText(
      'Asha Rao, 12 MG Road, Pune, Maharashtra 411001',
    );
    await createOrderButton(page).click();
    await expect(page).toHaveURL(/\/payment\?orderId=/);
  };
  await placeOrderAgain(false);
  expect(await saved()).toBeNull();
  await placeOrderAgain(true);
  expect(await saved()).toEqual([ADDRESS]);

  await page.evaluate((cart) => localStorage.setItem('cart', cart), JSON.stringify(filledCart));
  await page.goto('/checkout');
  await expect(field(page, 'City')).toHaveValue('');
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  for (const [label, text] of Object.entries(LABELLED_ADDRESS))
    await expect(field(page, label)).toHaveValue(text);
  await page.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByRole('heading', { name: 'Addresses on this device' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Shipping details' })).toBeFocused();
  expect(await saved()).toBeNull();
});
