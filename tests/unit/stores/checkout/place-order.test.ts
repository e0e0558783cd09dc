// @vitest-environment jsdom
import { cleanStores } from 'nanostores';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { CartLine } from '#domain/cart.ts';
import { cartLine } from '#tests/support/samples.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';
import { left, signIn } from '#tests/unit/stores/support/browser.ts';
import { fakeApi } from '#tests/unit/stores/support/fake-api.ts';

const line = (id: string): CartLine => cartLine({ id, name: id, price: 100 });

const stored = (): CartLine[] => JSON.parse(localStorage.getItem('cart') ?? '[]');

/** Writes like another tab whose storage event has not arrived yet. */
const storeElsewhere = (lines: CartLine[]): void => localStorage.setItem('cart', JSON.stringify(lines));

let postedOrder = (): Response => Response.json({ id: 'order-new' }, { status: 201 });

/** The catalogue's answer for the mango today. */
let price = 100;

let delivery = {};

/** Opens the checkout with one cart line and an address, for an API without idempotency keys. */
async function openCheckoutPage() {
  price = 100;
  delivery = {};
  postedOrder = () => Response.json({ id: 'order-new' }, { status: 201 });
  storeElsewhere([line('mango')]);
  const api = fakeApi({
    'GET orders': () => Response.json([]),
    'GET products/mango': () => Response.json({ data: { id: 'mango', title: 'mango', regularPrice: price } }),
    'GET products/kiwi': () => Response.json({ data: { id: 'kiwi', title: 'kiwi', regularPrice: 100 } }),
    'GET storeInfo': () => Response.json({ delivery }),
    'POST orders': () => postedOrder(),
  });
  vi.resetModules();
  const { $checkout } = await import('#stores/checkout/checkout.ts');
  const { openCheckout, submitCheckout } = await import('#stores/checkout/open-checkout.ts');
  const { chooseAddress } = await import('#stores/checkout/shipping-address.ts');
  const attempt = await import('#stores/checkout/checkout-attempt.ts');
  onTestFinished(openCheckout());
  chooseAddress(ADDRESS);
  const posts = () => api.requests.filter(({ call }) => call.startsWith('POST'));
  /** Opens the page again, as after a reload. */
  const reopen = () => {
    $checkout.set({ status: 'editing' });
    onTestFinished(openCheckout());
  };
  const { $checkedCart, acceptPrices, checkPrices } = await import('#stores/cart/price-check.ts');
  $checkedCart.listen(() => {});
  onTestFinished(() => cleanStores($checkedCart));
  await checkPrices();
  return { $checkout, placeOrder: submitCheckout, ...attempt, acceptPrices, posts, chooseAddress, reopen };
}

beforeEach(() => signIn());

it('opens the payment of an order that another tab has created from this cart, before its storage event arrives', async () => {
  const { placeOrder, recordPlaced, posts } = await openCheckoutPage();
  recordPlaced('order-1');
  storeElsewhere([]);
  await placeOrder();
  expect(left).toEqual(['/payment?orderId=order-1']);
  expect(posts()).toEqual([]);
});

it('sends nothing after a price has risen, until the customer accepts it', async () => {
  const { placeOrder, $checkout, acceptPrices, posts } = await openCheckoutPage();
  price = 130;
  await placeOrder();
  expect($checkout.get()).toMatchObject({ summary: { title: 'Some prices have gone up' } });
  expect(posts()).toEqual([]);
  acceptPrices();
  await placeOrder();
  expect(posts()).toHaveLength(1);
});

it('[spec 5.checkout.1] sends nothing when another tab has emptied the cart in the meantime', async () => {
  const { placeOrder, $checkout, posts } = await openCheckoutPage();
  storeElsewhere([]);
  await placeOrder();
  expect(posts()).toEqual([]);
  expect($checkout.get().status).toBe('editing');
  const { $toasts } = await import('#stores/shell/toasts.ts');
  expect($toasts.get().map(({ title }) => title)).toEqual(['Cart is empty']);
});

it('stores the shown total for the payment page if today’s prices could not be loaded', async () => {
  const { placeOrder, posts } = await openCheckoutPage();
  const online = globalThis.fetch;
  vi.stubGlobal('fetch', (request: Request) => {
    if (request.url.includes('/products/')) throw new TypeError('Failed to fetch');
    return online(request);
  });
  await placeOrder();
  expect(posts()).toHaveLength(1);
  const { readShownTotal } = await import('#stores/checkout/shown-total.ts');
  expect(readShownTotal('order-new')).toBe(100_00);
  expect(readShownTotal('order-1')).toBeUndefined();
});

it('removes the ordered lines from the cart, keeps lines that another tab added, and stores the total that was sent', async () => {
  const { placeOrder } = await openCheckoutPage();
  const online = globalThis.fetch;
  vi.stubGlobal('fetch', (request: Request) => {
    if (request.method === 'POST') {
      storeElsewhere([line('mango'), line('kiwi')]);
      window.dispatchEvent(new StorageEvent('storage', { key: 'cart' }));
    }
    return online(request);
  });
  await placeOrder();
  const { readShownTotal } = await import('#stores/checkout/shown-total.ts');
  expect(readShownTotal('order-new')).toBe(100_00);
  expect(stored().map(({ id }) => id)).toEqual(['kiwi']);
});

it('does not wait for a lock that another page has left behind', async () => {
  const { placeOrder, posts } = await openCheckoutPage();
  const request = (_name: string, { signal }: { signal?: AbortSignal }) =>
    signal ? Promise.reject(new DOMException('', 'TimeoutError')) : new Promise(() => {});
  vi.stubGlobal('navigator', { onLine: true, locks: { request } });
  void placeOrder();
  await expect.poll(() => left).toEqual(['/payment?orderId=order-new']);
  expect(posts()).toHaveLength(1);
});

it('shows the total that the server has named, and sends it when the customer agrees', async () => {
  vi.stubGlobal('__CAPABILITIES__', { ...__CAPABILITIES__, expectedTotal: true });
  const { placeOrder, $checkout, posts } = await openCheckoutPage();
  const { $amountsToAgree } = await import('#stores/checkout/checkout.ts');
  postedOrder = () =>
    Response.json({ error: 'x', code: 'total_changed', target: 'total', total: 140.5 }, { status: 422 });
  await placeOrder();
  expect($checkout.get()).toMatchObject({ summary: { title: 'Your order costs more now' } });
  expect($amountsToAgree.get().total).toBe(140_50);
  postedOrder = () => Response.json({}, { status: 502 });
  await placeOrder();
  expect($checkout.get().status).toBe('unknown');
  price = 170;
  await placeOrder();
  expect(posts().map(({ body }) => (body as { expectedTotal?: number }).expectedTotal)).toEqual([
    100, 140.5, 140.5,
  ]);
});

it('asks for the delivery charge although the page was built with free delivery', async () => {
  const { placeOrder, $checkout, posts } = await openCheckoutPage();
  delivery = { charge: 40, freeFrom: null };
  await placeOrder();
  expect($checkout.get()).toMatchObject({ summary: { title: 'Delivery costs more now' } });
  expect(posts()).toEqual([]);
});

it('after a reload an unanswered order is unconfirmed, and another address is not sent before it was seen', async () => {
  const { placeOrder, $checkout, posts, chooseAddress, reopen } = await openCheckoutPage();
  postedOrder = () => Response.json({}, { status: 502 });
  await placeOrder();
  reopen();
  expect($checkout.get().status).toBe('unknown');
  chooseAddress({ ...ADDRESS, city: 'Nashik' });
  const sent = posts().length;
  await placeOrder();
  expect([$checkout.get().status, posts().length]).toEqual(['editing', sent]);
  const { clearPersonalData } = await import('#stores/account/session.ts');
  clearPersonalData();
  reopen();
  // The next customer of the device knows nothing of that order.
  expect($checkout.get().status).toBe('editing');
});

it('a reload after the order shows it until it is paid', async () => {
  const { placeOrder, $checkout, reopen } = await openCheckoutPage();
  await placeOrder();
  reopen();
  expect($checkout.get()).toMatchObject({ status: 'placed', orderId: 'order-new' });
  const { watchPlacedOrder } = await import('#stores/checkout/placed-order.ts');
  // GET /orders does not list it: it is another customer's.
  onTestFinished(watchPlacedOrder('order-new'));
  await expect.poll(() => $checkout.get().status).toBe('editing');
});
