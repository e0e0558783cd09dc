import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

/** What a browser does that blocks all of a site's data. */
const refuse = (page: Page, names: readonly string[]): Promise<unknown> =>
  page.addInitScript((refused) => {
    for (const name of refused) {
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    }
  }, names);

const add = (page: Page) => page.getByRole('main').locator('[data-add]').first();
const badge = (page: Page) => page.getByRole('banner').locator('[data-cart-count]').first();

test('[fault 23] where localStorage is refused, sessionStorage carries the cart', async ({ page }) => {
  await refuse(page, ['localStorage']);
  await page.goto('/products');
  await add(page).click();
  await page.goto('/cart');
  await expect(page.getByRole('textbox', { name: 'Quantity' })).toHaveValue('1');
});

test('[fault 23] where both are refused, IndexedDB carries the cart over pages, tabs and edits', async ({
  page,
  context,
}) => {
  const storages = ['localStorage', 'sessionStorage'];
  await refuse(page, storages);
  const installed = page.waitForResponse(/deep-storage/);
  await page.goto('/products');
  await installed;
  // The chunk has come; that it is in place shows in what it does.
  await expect
    .poll(() => page.evaluate(() => Object.getOwnPropertyDescriptor(globalThis, 'localStorage')?.value))
    .toBeTruthy();
  await add(page).click();
  await expect(badge(page)).toHaveText('1');
  await expect(page.getByText('Your cart is not saved')).toHaveCount(0);
  await page.goto('/cart');
  const quantity = page.getByRole('textbox', { name: 'Quantity' });
  await expect(quantity).toHaveValue('1');
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await expect(quantity).toHaveValue('2');
  const other = await context.newPage();
  await refuse(other, storages);
  await other.goto('/cart');
  await expect(other.getByRole('textbox', { name: 'Quantity' })).toHaveValue('2');
  await other.getByRole('button', { name: 'Increase quantity' }).click();
  await expect(quantity).toHaveValue('3');
});

test('[fault 23] what was put in the cart before IndexedDB was read is added to what it holds', async ({
  page,
}) => {
  await refuse(page, ['localStorage', 'sessionStorage']);
  await page.goto('/products');
  const isInstalled = () =>
    page.evaluate(() => Object.getOwnPropertyDescriptor(globalThis, 'localStorage')?.value !== undefined);
  await expect.poll(isInstalled).toBe(true);
  await add(page).click();
  let goOn: (() => void) | undefined;
  await page.route(/deep-storage/, async (route) => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await route.continue();
  });
  await page.goto('/products');
  const [, second] = await page.getByRole('main').locator('[data-add]').all();
  await second?.click();
  await expect(page.getByText('Your cart is not saved')).toHaveCount(1);
  await expect(badge(page)).toHaveText('1');
  await expect.poll(() => goOn).toBeDefined();
  goOn?.();
  await expect(badge(page)).toHaveText('2');
  await page.unrouteAll();
  await page.goto('/cart');
  await expect(page.getByRole('textbox', { name: 'Quantity' })).toHaveCount(2);
});

test('[fault 23] where everything is refused, one notice says so and Add to Cart stays on the page', async ({
  page,
  api,
}) => {
  await refuse(page, ['localStorage', 'sessionStorage', 'indexedDB']);
  const { id } = await api.product(
    ({ price, sizes, colors }) => price > 0 && sizes.length + colors.length === 0,
  );
  await page.goto(`/product/${id}`);
  const buy = page.getByRole('button', { name: 'Add to Cart' }).first();
  await buy.click();
  await expect(badge(page)).toHaveText('1');
  await buy.click();
  await expect(badge(page)).toHaveText('2');
  expect(new URL(page.url()).pathname).toBe(`/product/${id}`);
  await expect(page.getByText('Your cart is not saved')).toHaveCount(1);
});
