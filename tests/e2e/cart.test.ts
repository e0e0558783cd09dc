import type { Page } from 'playwright/test';
import { type CartLine, toLine } from '#domain/cart.ts';
import { formatPaise, formatRupees } from '#domain/money.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import type { Product } from '#domain/product.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectAlive, openTranslated } from '#tests/support/other-programs.ts';
import { leaveNotices } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { isPlain, storedCart } from '#tests/support/samples.ts';

const isSized = ({ price, sizes, colors }: Product): boolean =>
  price > 0 && sizes.length > 1 && colors.length > 0;

const lineOf = (product: Product, change: Partial<CartLine> = {}): CartLine => ({
  ...toLine(product, { size: product.sizes[0] ?? '', color: product.colors[0] ?? '', quantity: 1 }),
  ...change,
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const badge = (page: Page) => page.getByRole('banner').locator('[data-cart-count]').first();

test('[spec 2.cart.2, 2.cart.5, 2.cart.7, 2.cart.8, 2.cart.9, 4.cart.10, 8.notices.4] lists lines and totals; Remove deletes all lines of a product, and Undo restores them', async ({
  page,
  api,
  fillCart,
}) => {
  const product = await api.product(isSized);
  const other = await api.product(isPlain);
  const [small = '', large = ''] = product.sizes;
  const sized = lineOf(product, { selectedSize: small, quantity: 2 });
  const lines = [sized, lineOf(product, { selectedSize: large }), lineOf(other)];
  await fillCart(lines);
  await page.goto('/cart');
  const row = page.getByRole('listitem').filter({ hasText: product.name }).first();
  const link = row.getByRole('link', { name: product.name });
  await expect(link).toHaveAttribute('href', `/product/${product.id}`);
  await expect(row).toContainText(`${small} · ${product.colors[0]}`);
  await expect(row).toContainText(`${formatRupees(product.price)} each`);
  await expect(row.locator('img')).toHaveAttribute('src', product.image);
  const summary = page.getByRole('region', { name: 'Order summary' });
  const total = formatPaise(amountsOf(lines).total);
  await expect(summary).toContainText(`Subtotal (4 items)${total}`);
  await expect(summary).toContainText('ShippingFree');
  await expect(summary).toContainText(`Total${total}`);
  await expect(page.getByRole('link', { name: 'Checkout' })).toHaveAttribute('href', '/checkout');

  await row.getByRole('button', { name: `Remove ${product.name} from cart` }).click();
  await expect(page.getByText('Removed from cart')).toBeVisible();
  await expect(page.getByText(`${product.name}, in 2 choices`)).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await expect.poll(() => storedCart(page)).toMatchObject([{ id: other.id }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => storedCart(page)).toEqual(lines);
});

test('[spec 2.cart.3, 2.cart.4, 2.cart.10, 2.header.6] the stepper begins at 1; a number that is no whole piece stays with its error, and Checkout waits', async ({
  page,
  filledCart,
}) => {
  await openTranslated(page, '/cart');
  const quantity = page.getByRole('textbox', { name: 'Quantity' });
  const decrease = page.getByRole('button', { name: 'Decrease quantity' });
  const checkout = page.getByRole('link', { name: 'Checkout' });
  const pieces = async () => (await storedCart(page))[0]?.quantity;
  await decrease.click();
  await expect(quantity).toHaveValue('1');
  await expect(decrease).toBeDisabled();
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await expect(quantity).toHaveValue('2');
  await quantity.fill('9999');
  await quantity.press('Enter');
  await expect.poll(() => storedCart(page)).toEqual([{ ...filledCart[0], quantity: 9_999 }]);
  await quantity.fill('0');
  await quantity.blur();
  await expect(quantity).toHaveValue('9999');
  for (const typed of ['2,5', '10000']) {
    await quantity.fill(typed);
    await checkout.click();
    await expect(quantity, typed).toHaveValue(typed);
    await expect(quantity).toBeFocused();
    await expect(quantity).toHaveAccessibleDescription(/Type whole pieces, from 1 to 9,999/);
    expect(new URL(page.url()).pathname).toBe('/cart');
  }
  await expect.poll(pieces).toBe(9_999);
  for (const [typed, meant] of [
    ['९', 9],
    ['1 000', 1_000],
    ['57', 57],
  ] as const) {
    await quantity.fill(typed);
    await expect.poll(pieces, typed).toBe(meant);
    await quantity.blur();
    await expect(quantity).toHaveValue(String(meant));
  }
  await expect(heading(page)).toHaveText('Your cart 57 items');
  await expect(page.locator('[data-cart-count]')).toHaveText(['57', '57']);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Cart, 57 items' })).toBeVisible();
  await quantity.fill('12');
  await expectAlive(page);
  await checkout.click();
  await expect(page).toHaveURL(/login/);
  await expect.poll(pieces).toBe(12);
});

test('[spec 2.cart.1, 2.cart.6, 4.cart.5, 4.cart.11, 8.notices.5] Clear Cart empties the cart, and Undo restores it, by keyboard', async ({
  page,
  filledCart,
}) => {
  await openTranslated(page, '/cart');
  await page.getByRole('button', { name: 'Clear Cart' }).press('Enter');
  await expect(page.getByText('Cart cleared')).toBeVisible();
  await expect(page.getByText('All items have been removed from your cart.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  await expect(heading(page)).toBeFocused();
  await expect.poll(() => storedCart(page)).toEqual([]);

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Continue Shopping' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Continue Shopping' })).toHaveAttribute('href', '/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(heading(page)).toHaveText('Your cart 2 items');
  await expect.poll(() => storedCart(page)).toEqual(filledCart);
  await expectAlive(page);
});

test('shows old and new prices, and the names of the catalogue', async ({ page, api, fillCart }) => {
  const [dearer, cheaper] = (await api.products()).filter(isPlain);
  if (!dearer || !cheaper) throw new Error('The catalogue has too few products.');
  await fillCart([
    lineOf(dearer, { price: dearer.price - 5 }),
    lineOf(cheaper, { price: cheaper.price + 21, name: '<b>tampered</b>', image: 'javascript:alert(1)' }),
  ]);
  await page.goto('/cart');
  for (const [was, now] of [
    [dearer.price - 5, dearer.price],
    [cheaper.price + 21, cheaper.price],
  ] as const)
    await expect(page.getByText(`was ${formatRupees(was)}, now ${formatRupees(now)}`)).toBeVisible();
  await expect(page.getByText('2 items changed in price since you added them.')).toBeVisible();
  const total = formatRupees(dearer.price + cheaper.price);
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText(`Total${total}`);
  await expect(page.getByRole('link', { name: cheaper.name })).toBeVisible();
  // A higher price is not stored without the customer's consent.
  await expect
    .poll(() => storedCart(page))
    .toMatchObject([
      { price: dearer.price - 5 },
      { price: cheaper.price, name: cheaper.name, image: cheaper.image },
    ]);
});

test('if the browser refuses all storage, the cart works on this page and one notice says that it is not saved', async ({
  page,
  api,
}) => {
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, { configurable: true, get });
  });
  const { id } = await api.product(isPlain);
  await page.goto(`/product/${id}`);
  const buy = page.getByRole('button', { name: 'Add to Cart' }).first();
  for (const count of ['1', '2']) {
    await buy.click();
    await expect(badge(page)).toHaveText(count);
  }
  expect(new URL(page.url()).pathname).toBe(`/product/${id}`);
  await expect(page.getByText('Your cart is not saved')).toHaveCount(1);
});

test('a shared link shows its cart, which replaces the visitor’s only on request', async ({
  page,
  context,
  api,
  shop,
  filledCart,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openTranslated(page, '/cart');
  await page.getByRole('button', { name: 'Share cart' }).click();
  const link = await page.getByLabel('Link to a copy of this cart').inputValue();
  expect(link).toBe(`${shop.url}/cart?items=${filledCart[0]?.id}:2`);
  await expect(page.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
    'href',
    new RegExp(`^https://wa\\.me/\\?text=.*${encodeURIComponent(link)}$`),
  );
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expectAlive(page);

  const own = await api.product(isSized);
  const size = own.sizes[1] ?? '';
  await page.goto(`/cart?items=${own.id}:3:${encodeURIComponent(size)}`);
  const shared = page.getByRole('region', { name: 'A cart was shared with you' });
  await expect(shared).toContainText(`Today it comes to ${formatRupees(own.price * 3)}.`);
  await expect.poll(() => storedCart(page)).toHaveLength(1);
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await shared.getByRole('button', { name: 'Replace my cart' }).click();
  await expect(page).toHaveURL('/cart');
  await expect(page.getByRole('heading', { name: 'Your cart' })).toBeFocused();
  await expect
    .poll(() => storedCart(page))
    .toMatchObject([{ id: own.id, quantity: 3, selectedSize: size, price: own.price, name: own.name }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => storedCart(page)).toEqual(filledCart);
});

test('a tampered link adds only products that are sold', async ({ page, api, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  const good = await api.product(isPlain);
  const tee = await api.product(isSized);
  await page.goto(
    `/cart?items=${good.id},${good.id}:1,no-such-fruit:1,${tee.id}:1:XXXXL,%E0%A4%A,__proto__:1`,
  );
  const shared = page.getByRole('region', { name: 'A cart was shared with you' });
  await expect(shared.getByRole('listitem').filter({ hasText: `${good.name} × 2` })).toHaveCount(1);
  await expect(shared).toContainText('“no-such-fruit” is no longer sold.');
  await expect(shared).toContainText(`“${tee.name}” needs a size or a colour.`);
  await expect(shared).toContainText('A part of the link could not be read, or was too long.');
  await shared.getByRole('button', { name: 'Put in my cart' }).click();
  await expect.poll(() => storedCart(page)).toMatchObject([{ id: good.id, quantity: 2, price: good.price }]);

  await page.goto(`/cart?items=${good.id}:5`);
  await page.getByRole('button', { name: 'Keep my cart' }).click();
  await expect(page).toHaveURL('/cart');
  await expect.poll(() => storedCart(page)).toMatchObject([{ id: good.id, quantity: 2 }]);
});

test('Undo waits for the keyboard (F8 reaches it), not for a pointer', async ({ page, fillCart, api }) => {
  const products = (await api.products()).filter(isPlain).slice(0, 12);
  await fillCart(products.map((product) => lineOf(product)));
  await page.clock.install();
  await page.goto('/cart');
  const remove = page.getByRole('button', { name: /^Remove/ });
  const undo = page.getByRole('button', { name: 'Undo' });
  await remove.first().press('Enter');
  await expect(undo).toBeVisible();
  await leaveNotices(page);
  await page.clock.runFor(120_000);
  await page.keyboard.press('F8');
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(remove).toHaveCount(12);
  await remove.first().click();
  await expect(undo).toBeVisible();
  await leaveNotices(page);
  await page.clock.runFor(11_000);
  await expect(undo).toHaveCount(0);
});

for (const height of [640, 780, 900])
  test(`a notice is above the bar with Checkout on a phone of 360 x ${height}`, async ({
    page,
    fillCart,
    api,
  }) => {
    const products = (await api.products()).filter(isPlain).slice(0, 3);
    await fillCart(products.map((product) => lineOf(product)));
    await page.setViewportSize({ width: 360, height });
    await page.goto('/cart');
    const gap = () =>
      page.evaluate(() => {
        const bar = document.querySelector('[data-cart-bar]')?.getBoundingClientRect();
        const notice = document.querySelector('.toast')?.getBoundingClientRect();
        return bar && notice ? bar.top - notice.bottom : undefined;
      });
    for (const count of [2, 1]) {
      await page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click();
      await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(count);
      await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(3 - count);
      await expect.poll(gap).toBeGreaterThanOrEqual(0);
    }
  });

// The benchmark measures the time. Here other tests run in parallel.
test('a cart of 500 lines answers a click', async ({ page, api, fillCart }) => {
  const product = await api.product(({ price }) => price > 0);
  const lines = Array.from({ length: 500 }, (_, index) => lineOf(product, { selectedSize: `Size ${index}` }));
  await fillCart(lines);
  await page.goto('/cart');
  await expect(heading(page)).toHaveText('Your cart 500 items');
  await page.getByRole('button', { name: 'Increase quantity' }).first().click();
  await expect(heading(page)).toHaveText('Your cart 501 items');
});
