import { formatRupees } from '#domain/money.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { fillAddress, payNow, signInHere } from '#tests/support/page.ts';

test.slow();

test('[spec 6.roles.2, 6.roles.3] a visitor browses, chooses a size, adds, registers, signs in, checks out and pays by QR', async ({
  page,
  api,
}) => {
  const product = await api.product(
    ({ price, sizes, colors }) => price > 0 && sizes.length > 1 && colors.length === 0,
  );
  await page.goto('/');
  await page.getByRole('link', { name: 'Shop Fresh Fruits' }).click();
  await expect(page).toHaveURL('/products');
  await page.goto(`/products?category=${encodeURIComponent(product.category.toLowerCase())}`);
  await page.getByRole('main').getByRole('link', { name: product.name, exact: true }).first().click();
  await expect(page).toHaveURL(`/product/${product.id}`);

  const size = product.sizes.at(-1) ?? '';
  await page.getByRole('main').getByText(size, { exact: true }).first().click();
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expect(page).toHaveURL('/cart');
  await expect(page.getByRole('listitem').filter({ hasText: product.name })).toContainText(size);

  await page.getByRole('link', { name: 'Checkout' }).first().click();
  await expect(page).toHaveURL('/login');
  await page
    .getByRole('link', { name: /create|register|sign up/i })
    .first()
    .click();
  const shopper = {
    firstName: 'Meera',
    lastName: 'Kulkarni',
    email: `meera.${crypto.randomUUID()}@example.com`,
    password: 'mango-season',
    confirmPassword: 'mango-season',
  };
  for (const [id, text] of Object.entries(shopper)) await page.locator(`#${id}`).fill(text);
  await page.getByRole('button', { name: /create account/i }).click();
  await expect(page.getByText('Account created successfully. You can now log in.')).toBeVisible();
  await page.goto('/cart');
  await page.getByRole('link', { name: 'Checkout' }).first().click();
  await expect(page).toHaveURL('/login');
  await signInHere(page, shopper);
  await expect(page).toHaveURL('/checkout');

  await fillAddress(page);
  await page.getByRole('button', { name: 'Create Order' }).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  await payNow(page).click();
  const link = await page.getByRole('link', { name: 'Open UPI app' }).getAttribute('href');
  await api.answerUpi(link ?? '', 'succeeded');
  await expect(page.getByRole('heading', { name: 'Thank You for Your Order!' })).toBeVisible();
  const number = (await page.locator('#order-number strong').textContent()) ?? '';
  expect(number).toMatch(/^FF-\d{4}$/);
  await page.getByRole('link', { name: 'View My Orders' }).click();
  const order = page.getByRole('article', { name: number, exact: true });
  await expect(order).toContainText('Processing');
  await expect(order).toContainText(product.name);
  await expect(order).toContainText(`Total${formatRupees(product.price)}`);
  await expect(order.getByRole('link', { name: 'Pay Now' })).toHaveCount(0);
});
