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

/** The catalogue's answer for the mango today. */
let price = 100;

const delivery = {};

/** Opens the checkout with one cart line and an address, for an API without idempotency keys. */
async function openCheckoutPage() {
  price = 100;
  storeElsewhere([line('mango')]);
  const api = fakeApi({
    'GET orders': () => Response.json([]),
    'GET products/mango': () => Response.json({ data: { id: 'mango', title: 'mango', regularPrice: price } }),
    'GET products/kiwi': () => Response.json({ data: { id: 'kiwi', title: 'kiwi', regularPrice: 100 } }),
    'GET storeInfo': () => Response.json({ delivery }),
    'POST orders': () => Response.json({ id: 'order-new' }, { status: 201 }),
  });
  vi.resetModules();
  const { $checkout } = await import('#stores/checkout/checkout.ts');
  const { openCheckout } = await import('#stores/checkout/open-checkout.ts');
  const { chooseAddress } = await import('#stores/checkout/shipping-address.ts');
  const { placeOrder } = await import('#stores/checkout/place-order.ts');
  const attempt = await import('#stores/checkout/checkout-attempt.ts');
  onTestFinished(openCheckout());
  chooseAddress(ADDRESS);
  const posts = () => api.calls().filter((call) => call.startsWith('POST'));
  const { $checkedCart, acceptPrices, checkPrices } = await import('#stores/cart/price-check.ts');
  $checkedCart.listen(() => {});
  onTestFinished(() => cleanStores($checkedCart));
  await checkPrices();
  return { $checkout, placeOrder, ...attempt, acceptPrices, posts };
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
