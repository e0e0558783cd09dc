import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import type { Product } from '#domain/product.ts';
import { LABELLED_ADDRESS, type SignedIn } from '#tests/support/shop-client.ts';
import { test } from './fixtures.ts';
import type { Shopper } from './shopper.ts';

const TAPS = 8;
const PASSWORD = 'mango-season';
const withSizes = ({ price, sizes, colors }: Product): boolean =>
  price > 0 && sizes.length > 1 && colors.length === 0;
const plain = ({ price, sizes, colors }: Product): boolean => price > 0 && sizes.length + colors.length === 0;

const badge = (shopper: Shopper) =>
  expect.poll(() =>
    shopper.evaluate(() => document.querySelector('header [data-cart-count]')?.textContent ?? ''),
  );

/** Finds a product with sizes by its category and puts it into the cart. Ends on the cart page. */
async function buyWithSize(shopper: Shopper, product: Product): Promise<void> {
  await shopper.open('/');
  await shopper.link('Shop Fresh Fruits');
  await shopper.isAt('/products');
  await shopper.open(`/products?category=${encodeURIComponent(product.category.toLowerCase())}`);
  await shopper.link(product.name);
  await shopper.isAt(`/product/${product.id}`);
  const size = product.sizes.at(-1) ?? '';
  await shopper.click(`label:has(input[type=radio][value=${JSON.stringify(size)}])`);
  await shopper.button('Add to Cart');
  await shopper.isAt('/cart');
  await shopper.sees(product.name);
}

/** Fills the address and orders. Returns the order's id. */
async function order(shopper: Shopper): Promise<string> {
  for (const [label, value] of Object.entries(LABELLED_ADDRESS)) await shopper.fill(label, value);
  await shopper.button('Create Order');
  await shopper.isAt(/^\/payment\?orderId=/);
  return new URLSearchParams((await shopper.address()).split('?')[1]).get('orderId') ?? '';
}

/** Puts the token cookie into the browser, as the sign-in does. */
async function setToken(shopper: Shopper, { token }: SignedIn): Promise<void> {
  await shopper.open('/offline');
  await shopper.evaluate((value) => {
    // biome-ignore lint/suspicious/noDocumentCookie: WebKitGTK has no cookieStore.
    document.cookie = `auth_token=${value}; path=/; SameSite=Lax`;
  }, token);
}

async function fillCart(shopper: Shopper, product: Product): Promise<void> {
  await shopper.open(`/product/${product.id}`);
  await shopper.button('Add to Cart');
  await shopper.isAt('/cart');
}

test('browse, choose a size, add, register, sign in, order, pay by QR', async ({ shopper, client }) => {
  const product = await client.product(withSizes);
  await buyWithSize(shopper, product);
  await shopper.link('Checkout');
  await shopper.isAt('/login');
  await shopper.open('/register');
  const email = `meera.${randomUUID().slice(0, 8)}@example.com`;
  await shopper.fill('First name', 'Meera');
  await shopper.fill('Last name', 'Kulkarni');
  await shopper.fill('Email', email);
  await shopper.fill('Password', PASSWORD);
  await shopper.fill('Confirm password', PASSWORD);
  await shopper.button('Create account');
  await shopper.isAt('/');
  await shopper.sees('Account created successfully. You can now log in.');
  await shopper.open('/cart');
  await shopper.link('Checkout');
  await shopper.isAt('/login');
  await shopper.fill('Email', email);
  await shopper.fill('Password', PASSWORD);
  await shopper.button('Sign in');
  await shopper.isAt('/checkout');
  const orderId = await order(shopper);
  await shopper.button('Pay Now');
  await shopper.finds('a', 'Open UPI app');
  const link = await shopper.evaluate(
    () => document.querySelector<HTMLAnchorElement>('a[href^="upi:"]')?.href ?? '',
  );
  await client.answerUpi(link, 'succeeded');
  await shopper.isAt('/order-success');
  await shopper.sees('Thank You for Your Order!');
  await shopper.link('View My Orders');
  for (const words of [orderId, 'Processing', product.name, formatRupees(product.price)])
    await shopper.sees(words);
});

test('the cart is kept, and two tabs have one', async ({ shopper, client }) => {
  const product = await client.product(plain);
  await fillCart(shopper, product);
  await shopper.reload();
  await shopper.sees(product.name);
  await badge(shopper).toBe('1');
  await shopper.newTab();
  await fillCart(shopper, product);
  await badge(shopper).toBe('2');
  await shopper.switchTo(0);
  await badge(shopper).toBe('2');
  await shopper.button('Clear Cart');
  await shopper.sees('Your cart is empty');
  await shopper.switchTo(1);
  await shopper.sees('Your cart is empty');
  expect(await shopper.evaluate(() => localStorage.getItem('cart')?.trim())).toBe('[]');
});

test('an order whose answer is lost is one order', async ({ shopper, client, shop }) => {
  const asha = await client.newSignedIn();
  await setToken(shopper, asha);
  await fillCart(shopper, await client.product(plain));
  await shopper.link('Checkout');
  await shopper.isAt('/checkout');
  shop.api.faults?.add({ call: 'POST /orders', lose: true, times: 1 });
  await order(shopper);
  expect(await client.orders(asha)).toHaveLength(1);
});

test('a tap while the page still loads what comes later is not lost', async ({ shopper }) => {
  for (let round = 0; round < TAPS; round += 1) {
    await shopper.open('/');
    // The shop reloads a page only once for a missing script, and remembers that here.
    await shopper.evaluate(() => sessionStorage.clear());
    // The tap comes between at once and a second later, so in some rounds while later scripts are being loaded.
    await new Promise((resolve) => setTimeout(resolve, (round * 1_000) / TAPS));
    await shopper.link('Shop Fresh Fruits');
    await shopper.isAt('/products');
    for (const path of ['/login', '/register']) {
      await shopper.evaluate((next) => location.assign(next), path);
      await shopper.isAt(path);
    }
    await shopper.finds('input', 'First name');
  }
});
