import { expect, test } from '#tests/support/fixtures.ts';
import { createOrder, fillAddress } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';

const FIELDS = [
  ['fullName', 'shipping name', 'text'],
  ['address', 'shipping street-address', 'text'],
  ['city', 'shipping address-level2', 'text'],
  ['state', 'shipping address-level1', 'text'],
  ['postalCode', 'shipping postal-code', 'numeric'],
  ['phone', 'shipping tel', 'tel'],
] as const;

test('every field says what it is to the browser, and the PIN code offers its state', async ({
  page,
  signedInShopper: _,
  filledCart: _cart,
}) => {
  await page.goto('/checkout');
  for (const [name, autocomplete, inputmode] of FIELDS) {
    await expect(page.locator(`#${name}`)).toHaveAttribute('autocomplete', autocomplete);
    await expect(page.locator(`#${name}`)).toHaveAttribute('inputmode', inputmode);
  }
  const phone = page.getByLabel('Phone');
  await phone.fill('+91 98765-43210');
  await expect(phone).toHaveValue('9876543210');
  const state = page.getByLabel('State');
  await page.getByLabel('PIN code').fill('४११ ००१');
  await expect(page.getByLabel('PIN code')).toHaveValue('411001');
  const offer = page.getByRole('button', { name: 'Use Maharashtra' });
  await expect(offer).toBeVisible();
  await expect(state).toHaveValue('');
  await expectNoAxeFindings(page);
  await state.fill('Goa');
  await expect(offer).toBeVisible();
  await expect(state).toHaveValue('Goa');
  await offer.click();
  await expect(state).toHaveValue('Maharashtra');
  await expect(state).toBeFocused();
  await expect(offer).toHaveCount(0);
  await page.getByLabel('PIN code').fill('826001');
  await expect(page.getByRole('button', { name: 'Use Jharkhand' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use Bihar' })).toBeVisible();
});

test('remembers an address when asked', async ({ page, filledCart, signedInShopper: _ }) => {
  const saved = () => page.evaluate(() => localStorage.getItem('addresses'));
  const again = async () => {
    await page.evaluate((cart) => localStorage.setItem('cart', cart), JSON.stringify(filledCart));
    await page.goto('/checkout');
  };
  await page.goto('/checkout');
  const box = page.getByRole('checkbox', { name: 'Remember this address on this device' });
  await expect(box).not.toBeChecked();
  await fillAddress(page);
  const recap = page.locator('.recap');
  await expect(recap).toContainText('Asha Rao, 12 MG Road, Pune, Maharashtra 411001');
  await expect(recap).toContainText('2 items');
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  expect(await saved()).toBeNull();

  await again();
  await fillAddress(page);
  await box.check();
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  expect(JSON.parse((await saved()) ?? '')).toEqual([ADDRESS]);

  await again();
  await expect(page.getByRole('heading', { name: 'Addresses on this device' })).toBeVisible();
  await expect(page.getByLabel('City')).toHaveValue('');
  await expect(box).not.toBeChecked();
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  for (const [name, text] of Object.entries(ADDRESS))
    await expect(page.locator(`#${name}`)).toHaveValue(text);
  await page.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByRole('heading', { name: 'Addresses on this device' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Shipping details' })).toBeFocused();
  expect(await saved()).toBeNull();
});
