import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import type { Product } from '#domain/product.ts';
import { PAGES } from '#page-table.ts';
import { LABELLED_ADDRESS } from '#tests/support/shop-client.ts';
import { hiddenParts } from '#tests/support/small-window.ts';
import { test } from './fixtures.ts';

const TAPS = 8;
const PASSWORD = 'mango-season';
const withSizes = ({ price, sizes, colors }: Product): boolean =>
  price > 0 && sizes.length > 1 && colors.length === 0;

test('browse, choose a size, add, register, sign in, order, pay by QR', async ({ shopper, client }) => {
  const product = await client.product(withSizes);
  await shopper.open('/');
  await shopper.link('Shop Fresh Fruits');
  await shopper.open(`/products?category=${encodeURIComponent(product.category.toLowerCase())}`);
  await shopper.link(product.name);
  const size = product.sizes.at(-1) ?? '';
  await shopper.click(`label:has(input[type=radio][value=${JSON.stringify(size)}])`);
  await shopper.button('Add to Cart');
  await shopper.isAt('/cart');
  await shopper.reload();
  await shopper.sees(product.name);

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
  await shopper.fill('Email', email);
  await shopper.fill('Password', PASSWORD);
  await shopper.button('Sign in');

  for (const [label, value] of Object.entries(LABELLED_ADDRESS)) await shopper.fill(label, value);
  await shopper.button('Create Order');
  await shopper.isAt('/payment');
  await shopper.button('Pay Now');
  await shopper.finds('a', 'Open UPI app');
  const link = await shopper.evaluate(
    () => document.querySelector<HTMLAnchorElement>('a[href^="upi:"]')?.href ?? '',
  );
  await client.answerUpi(link, 'succeeded');
  await shopper.sees('Thank You for Your Order!');
  await shopper.link('View My Orders');
  for (const words of ['Processing', product.name, formatRupees(product.price)]) await shopper.sees(words);
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

test('no page hides anything in a window of 320 × 180', async ({ shopper, client }) => {
  const { id } = await client.product(withSizes);
  await shopper.resize(320, 180);
  for (const { path, isSignedIn, needsOrder } of Object.values(PAGES)) {
    if (isSignedIn || needsOrder) continue;
    await shopper.open(path.replace('*', id));
    await shopper.finds('h1', '');
    expect(await shopper.evaluate(hiddenParts), path).toEqual([]);
  }
});
