import type { Page } from 'playwright/test';
import { type CartLine, toLine } from '#domain/cart.ts';
import { formatRupees } from '#domain/money.ts';
import type { Product } from '#domain/product.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { isPlain, storedCart } from '#tests/support/samples.ts';

const withChoice = ({ price, sizes, colors }: Product): boolean =>
  price > 0 && sizes.length > 1 && colors.length > 0;

const lineOf = (product: Product, change: Partial<CartLine> = {}): CartLine => ({
  ...toLine(product, { size: product.sizes[0] ?? '', color: product.colors[0] ?? '', quantity: 1 }),
  ...change,
});

const badges = (page: Page) =>
  page.locator('[data-cart-count]').evaluateAll((all) => all.map((badge) => badge.textContent));

test('[spec 2.cart.1] empty, it leads back to the shop', async ({ page }) => {
  await page.goto('/cart');
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  await page.getByRole('link', { name: 'Continue Shopping' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('[spec 2.cart.2, 2.cart.5, 2.cart.7, 2.cart.8] lists lines and totals', async ({
  page,
  api,
  fillCart,
}) => {
  const product = await api.product(withChoice);
  await fillCart([lineOf(product, { quantity: 2 })]);
  await page.goto('/cart');

  const row = page.getByRole('listitem').filter({ hasText: product.name });
  await expect(row.getByRole('link', { name: product.name })).toHaveAttribute(
    'href',
    `/product/${product.id}`,
  );
  await expect(row).toContainText(`${product.sizes[0]} · ${product.colors[0]}`);
  await expect(row).toContainText(`${formatRupees(product.price)} each`);
  await expect(row.locator('img')).toHaveAttribute('src', product.image);

  const summary = page.getByRole('region', { name: 'Order summary' });
  const total = formatRupees(product.price * 2);
  await expect(summary).toContainText(`Subtotal (2 items)${total}`);
  await expect(summary).toContainText('ShippingFree');
  await expect(summary).toContainText(`Total${total}`);
  await expect(page.getByRole('link', { name: 'Checkout' })).toHaveAttribute('href', '/checkout');
});

test('[spec 2.cart.3, 2.cart.4, 2.cart.10] the stepper counts from 1', async ({ page, filledCart }) => {
  await page.goto('/cart');
  const quantity = page.getByRole('textbox', { name: 'Quantity' });
  const decrease = page.getByRole('button', { name: 'Decrease quantity' });
  await decrease.click();
  await expect(quantity).toHaveValue('1');
  await expect(decrease).toBeDisabled();
  await decrease.click({ force: true });
  await expect(quantity).toHaveValue('1');
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await expect(quantity).toHaveValue('2');
  await quantity.fill('9999');
  await quantity.press('Enter');
  expect(await storedCart(page)).toMatchObject([{ id: filledCart[0]?.id, quantity: 9_999 }]);
  await quantity.fill('0');
  await quantity.blur();
  await expect(quantity).toHaveValue('9999');
  await quantity.fill('57');
  await quantity.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your cart 57 items');
  expect(await badges(page)).toEqual(['57', '57']);
});

test('[spec 2.cart.9, 8.notices.4] [fault 33] removes every choice', async ({ page, api, fillCart }) => {
  const product = await api.product((each) => each.sizes.length > 1);
  const other = await api.product(isPlain);
  const sizes = product.sizes.slice(0, 2).map((size) => lineOf(product, { selectedSize: size }));
  await fillCart([...sizes, lineOf(other)]);
  await page.goto('/cart');
  await page
    .getByRole('button', { name: `Remove ${product.name} from cart` })
    .first()
    .click();
  await expect(page.getByText('Removed from cart')).toBeVisible();
  await expect(page.getByText(`${product.name}, in 2 choices`)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await storedCart(page)).toMatchObject([{ id: other.id }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await storedCart(page)).toHaveLength(3);
});

test('[spec 2.cart.6, 4.cart.11, 8.notices.5] Clear Cart empties the cart at once, and Undo brings all of it back', async ({
  page,
  api,
  fillCart,
}) => {
  const product = await api.product(withChoice);
  const other = await api.product(isPlain);
  const lines = [
    lineOf(product, { quantity: 3 }),
    lineOf(other, { quantity: 12 }),
    lineOf(product, { selectedSize: product.sizes[1] ?? '' }),
  ];
  await fillCart(lines);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Clear Cart' }).focus();
  await page.keyboard.press('Enter');
  const notices = page.getByRole('status');
  await expect(notices.getByText('Cart cleared')).toBeVisible();
  await expect(notices.getByText('All items have been removed from your cart.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await storedCart(page)).toEqual([]);

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Continue Shopping' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(notices.getByText('Undone')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your cart 16 items');
  expect(await storedCart(page)).toEqual(lines);
});

test('[fault 67] [fault 27] shows old and new prices', async ({ page, api, fillCart }) => {
  const [dearer, cheaper] = (await api.products()).filter(isPlain);
  if (!dearer || !cheaper) throw new Error('The catalogue has too few products.');
  await fillCart([
    lineOf(dearer, { price: dearer.price - 5 }),
    lineOf(cheaper, { price: cheaper.price + 21, name: '<b>tampered</b>', image: 'javascript:alert(1)' }),
  ]);
  await page.goto('/cart');
  await expect(
    page.getByText(`was ${formatRupees(dearer.price - 5)}, now ${formatRupees(dearer.price)}`),
  ).toBeVisible();
  await expect(
    page.getByText(`was ${formatRupees(cheaper.price + 21)}, now ${formatRupees(cheaper.price)}`),
  ).toBeVisible();
  await expect(page.getByText('2 items changed in price since you added them.')).toBeVisible();
  const total = formatRupees(dearer.price + cheaper.price);
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText(`Total${total}`);
  await expect(page.getByRole('link', { name: cheaper.name })).toBeVisible();
  // What became dearer is not taken over before the shopper has said yes.
  expect(await storedCart(page)).toMatchObject([
    { price: dearer.price - 5 },
    { price: cheaper.price, name: cheaper.name, image: cheaper.image },
  ]);
});

test('[fault 32] wiped storage empties the cart at the next edit', async ({ page, filledCart }) => {
  await page.goto('/cart');
  const increase = page.getByRole('button', { name: 'Increase quantity' });
  await expect(increase).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await expect(page.getByRole('link', { name: filledCart[0]?.name ?? '' })).toBeVisible();
  await increase.click();
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  expect(await badges(page)).toEqual(['0', '0']);
});
