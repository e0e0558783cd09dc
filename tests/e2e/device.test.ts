import { expect, test } from '#tests/support/fixtures.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';

test('shows what is stored on this device, and deletes one thing or everything, but nothing at Escape', async ({
  page,
  api,
  filledCart: _,
  signedInShopper: _shopper,
}) => {
  // Safari gives a button that is clicked no focus.
  await page.addInitScript(() => addEventListener('mousedown', (event) => event.preventDefault(), true));
  const { id } = await api.product(({ price }) => price > 0);
  await page.goto(`/product/${id}`);
  // A page stores this once it has fetched the fonts.
  await page.waitForFunction(() => 'fresh-fruits.fonts' in localStorage);
  await page.evaluate((address) => {
    localStorage.setItem('fresh-fruits.addresses', JSON.stringify([address]));
    localStorage.setItem('fresh-fruits.of-2019', 'x');
    // These belong to another program with the same origin.
    localStorage.setItem('language', 'de-DE');
    sessionStorage.setItem('cart', 'x');
    return Promise.all(['pages', 'fresh-fruits.page'].map((name) => caches.open(name)));
  }, ADDRESS);
  await page.getByRole('contentinfo').getByRole('link', { name: 'What this device keeps' }).click();
  await expect(page).toHaveURL('/device');
  const row = (title: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  await expect(row('Your wishlist')).toContainText('Nothing kept');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-IN');
  for (const title of ['Your cart', 'Remembered addresses', 'Your sign-in'])
    await expect(row(title).getByRole('button')).toBeVisible();
  await expectNoAxeFindings(page);

  await row('Your cart').getByRole('button', { name: 'Delete' }).click();
  await expect(row('Your cart')).toContainText('Nothing kept');
  await expect(page.locator('[data-cart-count]').first()).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('fresh-fruits.addresses'))).not.toBeNull();

  const dialog = page.getByRole('dialog');
  await page.locator('[data-all]').click();
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await expect(row('Remembered addresses')).toContainText('Nothing kept');
  await expect(page.getByText('Nothing of this shop is kept on this device.')).toBeVisible();
  expect(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, document.cookie])).toEqual([
    { language: 'de-DE' },
    { cart: 'x' },
    '',
  ]);
  expect(await page.evaluate(() => caches.keys())).toEqual(['pages']);

  await page.evaluate(() => localStorage.setItem('cart', '[1]'));
  await page.locator('[data-all]').click();
  // Only Chromium resets the return value, and only for the key.
  await expect(dialog).toHaveJSProperty('returnValue', '');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('cart'))).toBe('[1]');
  await expect(page.locator('[data-all]')).toBeFocused();
});
