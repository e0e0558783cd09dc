import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import type { Product } from '#domain/product.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { signInHere } from '#tests/support/page.ts';
import { LABELLED_ADDRESS } from '#tests/support/shop-client.ts';

const PASSWORD = 'mango-season';
const withSizes = ({ price, sizes, colors }: Product): boolean =>
  price > 0 && sizes.length > 1 && colors.length === 0;

/** From the home page to the product page, as a shopper finds it: by its category. */
async function browseTo(page: Page, product: Product): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Shop Fresh Fruits' }).click();
  await expect(page).toHaveURL('/products');
  await page.goto(`/products?category=${encodeURIComponent(product.category.toLowerCase())}`);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: product.name, exact: true }).first().click();
  await expect(page).toHaveURL(`/product/${product.id}`);
}

/** Chooses the last size and adds it; leads to the cart. */
async function addWithSize(page: Page, product: Product): Promise<string> {
  const size = product.sizes.at(-1) ?? '';
  await page.getByRole('main').getByText(size, { exact: true }).first().click();
  await expect(page.getByRole('radio', { name: size, exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expect(page).toHaveURL('/cart');
  return size;
}

async function register(page: Page): Promise<string> {
  const email = `meera.${randomUUID().slice(0, 8)}@example.com`;
  await page.getByLabel('First name').fill('Meera');
  await page.getByLabel('Last name').fill('Kulkarni');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: /create account/i }).click();
  return email;
}

async function checkOut(page: Page): Promise<string> {
  for (const [label, text] of Object.entries(LABELLED_ADDRESS)) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.getByRole('button', { name: 'Create Order' }).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  return new URL(page.url()).searchParams.get('orderId') ?? '';
}

/** The cart's Checkout asks a visitor to sign in; a new one registers first. Ends on the checkout. */
async function becomeCustomer(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Checkout' }).first().click();
  await expect(page).toHaveURL('/login');
  await page
    .getByRole('link', { name: /create|register|sign up/i })
    .first()
    .click();
  await expect(page).toHaveURL('/register');
  const email = await register(page);
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Account created successfully. You can now log in.')).toBeVisible();
  await page.goto('/cart');
  await page.getByRole('link', { name: 'Checkout' }).first().click();
  await expect(page).toHaveURL('/login');
  await signInHere(page, { email, password: PASSWORD });
  await expect(page).toHaveURL('/checkout');
}

async function seesProcessing(page: Page, orderId: string, product: Product): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Thank You for Your Order!' })).toBeVisible();
  await page.getByRole('link', { name: 'View My Orders' }).click();
  const order = page.getByRole('article', { name: `#${orderId}` });
  await expect(order).toContainText('Processing');
  await expect(order).toContainText(`${product.name} × 1`);
  await expect(order).toContainText(`Total${formatRupees(product.price)}`);
  await expect(order.getByRole('link', { name: 'Pay Now' })).toHaveCount(0);
}

test.slow();

test('[spec 6.roles.2, 6.roles.3] a visitor browses, chooses a size, adds, registers, signs in, checks out and pays by QR', async ({
  page,
  api,
}) => {
  const product = await api.product(withSizes);
  await browseTo(page, product);
  const size = await addWithSize(page, product);
  await expect(page.getByRole('listitem').filter({ hasText: product.name })).toContainText(size);
  await becomeCustomer(page);
  const orderId = await checkOut(page);
  await page.getByRole('button', { name: 'Pay Now' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the payment' })).toBeVisible();
  const link = await page.getByRole('link', { name: 'Open UPI app' }).getAttribute('href');
  await api.answerUpi(link ?? '', 'succeeded');
  await expect(page).toHaveURL('/order-success');
  await seesProcessing(page, orderId, product);
});
