import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { toLine } from '#domain/cart.ts';
import { formatRupees } from '#domain/money.ts';
import type { Product } from '#domain/product.ts';
import { paths } from '#paths.ts';
import { isPlain } from '#tests/support/samples.ts';
import { LABELLED_ADDRESS } from '#tests/support/shop-client.ts';
import { test } from './fixtures.ts';

const TAPS = 4;
const PASSWORD = 'mango-season';
const withSizes = ({ price, sizes, colors }: Product): boolean =>
  price > 0 && sizes.length > 1 && colors.length === 0;

test('[spec 6.roles.2, 6.roles.3] a visitor browses, chooses a size, adds, registers, signs in, checks out and pays by QR', async ({
  shopper,
  client,
}) => {
  const product = await client.product(withSizes);
  await shopper.open('/');
  await shopper.link('Shop Fresh Fruits');
  await shopper.isAt('/products');
  await shopper.open(paths.category(product.category));
  await shopper.link(product.name);
  await shopper.isAt(paths.product(product.id));
  const size = product.sizes.at(-1) ?? '';
  await shopper.click(`label:has(input[type=radio][value=${JSON.stringify(size)}])`);
  await shopper.button('Add to Cart');
  await shopper.isAt('/cart');
  for (const words of [product.name, size]) await shopper.sees(words);
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
  await shopper.sees('Account created successfully. You can now log in.');
  await shopper.isAt('/');
  await shopper.open('/cart');
  await shopper.link('Checkout');
  await shopper.isAt('/login');
  await shopper.fill('Email', email);
  await shopper.fill('Password', PASSWORD);
  await shopper.button('Sign in');

  await shopper.isAt('/checkout');
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
  await shopper.isAt('/order-success');
  await shopper.link('View My Orders');
  await shopper.isAt('/orders');
  for (const words of ['FF-', 'Processing', product.name, formatRupees(product.price)])
    await shopper.sees(words);
});

test("a customer pays on the gateway's page, tracks the order and cancels it", async ({
  shopper,
  client,
}) => {
  const customer = await client.newSignedIn();
  const { id, number } = await client.order(customer);
  await shopper.visit({ address: paths.payment(id), isSignedIn: true }, customer.token);
  await shopper.choose('Pay with', 'Card or net banking');
  await shopper.button('Pay Now');
  await shopper.button('Succeed');
  await shopper.sees('Thank You for Your Order!');
  await shopper.isAt('/order-success');

  await shopper.open('/track-order');
  await shopper.untilReady();
  await shopper.fill('Order Number', number);
  await shopper.button('Track Order');
  await shopper.sees(`Order ${number}`);

  await shopper.open('/orders');
  await shopper.button('Cancel order');
  await shopper.button('Cancel the order');
  await shopper.sees('Order cancelled');
  await shopper.sees('Cancelled');
});

test('two tabs share the cart and the session', async ({ shopper, client }) => {
  const customer = await client.newSignedIn();
  const product = await client.product(isPlain);
  const cart = [toLine(product, { size: '', color: '', quantity: 2 })];
  await shopper.visit({ address: '/cart', cart, isSignedIn: true }, customer.token);
  await shopper.openTab();
  await shopper.open(paths.product(product.id));
  await shopper.button('Add to Cart');
  await shopper.isAt('/cart');
  await shopper.finds('a', 'Cart, 3 items');
  await shopper.showTab(0);
  await shopper.finds('a', 'Cart, 3 items');
  await shopper.showTab(1);
  await shopper.open('/account');
  await shopper.button('Sign Out');
  await shopper.sees('You have been logged out successfully.');
  await shopper.showTab(0);
  await shopper.link('Checkout');
  await shopper.isAt('/login');
});

test('offline, visited pages and the cart open, and others say so', async ({ shopper, client, network }) => {
  const product = await client.product(isPlain);
  const address = paths.product(product.id);
  const cart = [toLine(product, { size: '', color: '', quantity: 2 })];
  await shopper.visit({ address: '/', cart }, '');
  await shopper.untilControlled();
  for (const path of ['/cart', address]) await shopper.visit({ address: path, cart }, '');
  await shopper.untilCached('/', '/cart', address);
  await network.close();
  for (const path of ['/', address, '/cart']) {
    await shopper.open(path);
    await shopper.finds('h1', '');
  }
  await shopper.sees(product.name);
  await shopper.button('Increase quantity');
  await shopper.finds('a', 'Cart, 3 items');
  await shopper.open('/contact');
  await shopper.sees('You are offline');
  await network.open();
  await shopper.open('/contact');
  await shopper.sees('Contact Us');
  await shopper.isAt('/contact');
});

test('the switch changes to Hindi at once, and back to English by loading the page again', async ({
  shopper,
  network,
}) => {
  await shopper.open('/login');
  await shopper.untilReady();
  await shopper.button('हिन्दी');
  await shopper.sees('पासवर्ड');
  await shopper.open('/cart');
  await shopper.finds('html[lang=hi] h1', '');
  await shopper.open('/login');
  await shopper.button('English');
  await shopper.finds('html[lang^=en] h1', '');
  await shopper.untilReady();
  expect(network.reports.splice(0)).toEqual([expect.stringContaining('/login: loaded again')]);
});

test('a tap while the page still loads is not lost', async ({ shopper }, { project }) => {
  // WebKit's driver waits for the load before each command, and hangs if a page is left meanwhile.
  test.skip(project.name === 'webkit');
  for (let round = 0; round < TAPS; round += 1) {
    await shopper.open('/robots.txt');
    // Does not wait for the load event.
    await shopper.evaluate(() => void setTimeout(() => location.assign('/')));
    await shopper.link('Shop Fresh Fruits');
    await shopper.isAt('/products');
  }
});
