import { randomUUID } from 'node:crypto';
import { formatRupees } from '#domain/money.ts';
import type { Product } from '#domain/product.ts';
import type { RunningApi } from '#scripts/api/start.ts';
import { LABELLED_ADDRESS, type ShopClient, type SignedIn } from '#tests/support/shop-client.ts';
import { type Shopper, until } from './driver.ts';

export interface Stage {
  readonly shopper: Shopper;
  readonly api: RunningApi;
  readonly client: ShopClient;
}

export type Journey = (stage: Stage) => Promise<void>;

const TAPS = 8;
const PASSWORD = 'mango-season';
const withSizes = ({ price, sizes, colors }: Product): boolean =>
  price > 0 && sizes.length > 1 && colors.length === 0;
const plain = ({ price, sizes, colors }: Product): boolean => price > 0 && sizes.length + colors.length === 0;

/** @throws Error that tells both */
function same(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

const storedCart = (shopper: Shopper): Promise<unknown> =>
  shopper.text("return localStorage.getItem('cart') ?? '[]'").then((json): unknown => JSON.parse(json));

const badgeSays = (shopper: Shopper, count: string): Promise<true> =>
  until(`the badge says ${count}`, async () => {
    const badge = await shopper.text(
      "return [...document.querySelectorAll('header [data-cart-count]')].map((e) => e.textContent).join()",
    );
    return badge === count || undefined;
  }).then(() => true);

/** Puts a product with sizes into the cart, by its category. Ends on the cart. */
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

async function signIn(shopper: Shopper, email: string, password = PASSWORD): Promise<void> {
  await shopper.fill('Email', email);
  await shopper.fill('Password', password);
  await shopper.button('Sign in');
}

/** Fills the address and orders. Returns the order's id. */
async function order(shopper: Shopper): Promise<string> {
  for (const [label, value] of Object.entries(LABELLED_ADDRESS)) await shopper.fill(label, value);
  await shopper.button('Create Order');
  const address = await shopper.isAt(/^\/payment\?orderId=/);
  return new URLSearchParams(address.split('?')[1]).get('orderId') ?? '';
}

async function seesProcessing(shopper: Shopper, orderId: string, product: Product): Promise<void> {
  await shopper.isAt('/order-success');
  await shopper.sees('Thank You for Your Order!');
  await shopper.link('View My Orders');
  for (const words of [orderId, 'Processing', product.name, formatRupees(product.price)])
    await shopper.sees(words);
}

/** Holds the token as a browser does that signed in. */
async function holdToken(shopper: Shopper, { token }: SignedIn): Promise<void> {
  await shopper.open('/offline');
  await shopper.run(`document.cookie = 'auth_token=${token}; path=/; SameSite=Lax'`);
}

async function fillCart(shopper: Shopper, product: Product): Promise<void> {
  await shopper.open(`/product/${product.id}`);
  await shopper.button('Add to Cart');
  await shopper.isAt('/cart');
}

export const JOURNEYS: Readonly<Record<string, Journey>> = {
  'browse, choose a size, add, register, sign in, order, pay by QR': async ({ shopper, client }) => {
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
    await signIn(shopper, email);
    await shopper.isAt('/checkout');
    const orderId = await order(shopper);
    await shopper.button('Pay Now');
    await shopper.find('a', 'Open UPI app');
    const link = await shopper.text(
      "return [...document.querySelectorAll('a[href^=\"upi:\"]')].map((a) => a.href)[0] ?? ''",
    );
    await client.answerUpi(link, 'succeeded');
    await seesProcessing(shopper, orderId, product);
  },

  'pay by a form that is posted to the gateway': async ({ shopper, client }) => {
    await holdToken(shopper, await client.newSignedIn());
    const product = await client.product(plain);
    await fillCart(shopper, product);
    await shopper.link('Checkout');
    await shopper.isAt('/checkout');
    const orderId = await order(shopper);
    await shopper.choose('Pay with', 'Card or net banking');
    await shopper.button('Pay Now');
    await shopper.click('button[value=succeeded], button[name=outcome]');
    await seesProcessing(shopper, orderId, product);
  },

  'sign in: refused with words, then let in; Back after the sign-out shows no account': async ({
    shopper,
    client,
  }) => {
    const { email, password } = await client.register();
    await shopper.open('/login');
    await signIn(shopper, email, 'wrong-password');
    await shopper.sees('Invalid');
    await shopper.open('/account');
    await shopper.isAt('/login');
    await signIn(shopper, email, password);
    await shopper.isAt('/account');
    await shopper.sees(email);
    await shopper.button('Sign Out');
    await shopper.isAt('/');
    await shopper.back();
    await shopper.isAt('/login');
    same('the account after Back', (await shopper.body()).includes(email), false);
  },

  'the cart is kept, and two tabs have one': async ({ shopper, client }) => {
    const product = await client.product(plain);
    await fillCart(shopper, product);
    await shopper.reload();
    await shopper.sees(product.name);
    await badgeSays(shopper, '1');
    const first = await shopper.current();
    const second = await shopper.newTab();
    await shopper.switchTo(second);
    await fillCart(shopper, product);
    await badgeSays(shopper, '2');
    await shopper.switchTo(first);
    await badgeSays(shopper, '2');
    await shopper.button('Clear Cart');
    await shopper.button('Remove all');
    await shopper.sees('Your cart is empty');
    await shopper.switchTo(second);
    await shopper.sees('Your cart is empty');
    same('the stored cart', await storedCart(shopper), []);
    await shopper.switchTo(first);
  },

  'an order whose answer is lost is one order': async ({ shopper, client, api }) => {
    const asha = await client.newSignedIn();
    await holdToken(shopper, asha);
    await fillCart(shopper, await client.product(plain));
    await shopper.link('Checkout');
    await shopper.isAt('/checkout');
    api.faults?.add({ call: 'POST /orders', lose: true, times: 1 });
    await order(shopper);
    api.faults?.clear();
    same('orders', (await client.orders(asha)).length, 1);
  },

  'a tap while the page still loads what comes later is not lost': async ({ shopper }) => {
    for (let round = 0; round < TAPS; round += 1) {
      await shopper.open('/');
      // A page that was reloaded once for a missing script would not be again.
      await shopper.run('sessionStorage.clear()');
      // From at once to a second later: somewhere in between the later parts are on their way.
      await new Promise((resolve) => setTimeout(resolve, (round * 1_000) / TAPS));
      await shopper.link('Shop Fresh Fruits');
      await shopper.isAt('/products');
      await shopper.run("location.href = '/login'");
      await shopper.isAt('/login');
      await shopper.run("location.href = '/register'");
      await shopper.isAt('/register');
      await shopper.find('input', 'First name');
    }
  },

  'the filtered listing, its pages, and a search that forgives': async ({ shopper }) => {
    await shopper.open('/products?page=2');
    await until('page 2 is marked', async () =>
      (
        await shopper.text(
          "return document.querySelector('.pagination a[aria-current=page]')?.innerText ?? ''",
        )
      ).includes('2'),
    );
    await shopper.open('/search?q=aam');
    await shopper.sees('Mango');
  },
};
