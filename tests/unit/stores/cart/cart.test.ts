// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import type { CartLine } from '#domain/cart.ts';
import { lineKey } from '#domain/cart.ts';
import { cartLine } from '#tests/support/samples.ts';

const line = (change: Partial<CartLine> = {}): CartLine =>
  cartLine({ name: 'Alphonso Mango', price: 899, ...change });

/** Opens another tab: fresh modules with the same storage. */
async function openTab() {
  vi.resetModules();
  const cart = await import('#stores/cart/cart.ts');
  const edits = await import('#stores/cart/cart-edits.ts');
  const { $toasts } = await import('#stores/shell/toasts.ts');
  cart.$cart.listen(() => {});
  return { ...cart, ...edits, toasts: () => $toasts.get(), ids: () => cart.$cart.get().map(({ id }) => id) };
}

const stored = (): unknown => JSON.parse(localStorage.getItem('cart') ?? 'null');

/** Sends the event that a browser sends to other tabs after a write. */
const notifyOtherTabs = (): boolean => window.dispatchEvent(new StorageEvent('storage', { key: 'cart' }));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

it('[spec 4.cart.6] [spec 3.cartline.1] the stored cart is saved under `cart` on every change', async () => {
  const { addToCart } = await openTab();
  addToCart(line());
  expect(stored()).toEqual([line()]);
});

it('the first add of a product takes its least quantity, and the notice says so', async () => {
  const { addToCart, toasts } = await openTab();
  addToCart(line({ quantity: 1 }), 5);
  addToCart(line({ quantity: 1 }), 5);
  expect(stored()).toEqual([line({ quantity: 6 })]);
  expect(toasts().map(({ text }) => text)).toEqual([
    'Alphonso Mango × 5, the least of one order',
    'Alphonso Mango',
  ]);
});

it.each([
  ['over several lines', JSON.stringify([line()], null, 2)],
  ['with white space after it', `${JSON.stringify([line()])}\n \t\t \n\t \t`],
])('%s is still a cart after an edit', async (_how, text) => {
  localStorage.setItem('cart', text);
  const { addToCart } = await openTab();
  addToCart(line({ id: 'kiwi' }));
  addToCart(line({ id: 'pear' }));
  const { ids } = await openTab();
  expect(ids()).toEqual(['mango', 'kiwi', 'pear']);
});

it('a cart of a newer version of the shop is shown and never overwritten', async () => {
  const newer = JSON.stringify({ version: 9, lines: [line()] });
  localStorage.setItem('cart', newer);
  const { addToCart, ids, toasts } = await openTab();
  addToCart(line({ id: 'kiwi' }));
  addToCart(line({ id: 'apple' }));
  expect(ids()).toEqual(['mango', 'kiwi', 'apple']);
  expect(localStorage.getItem('cart')).toBe(newer);
  expect(toasts().map(({ title, action }) => [title, action])).toEqual([
    ['Your cart is not saved', undefined],
    ['Added to cart', undefined],
  ]);
});

it('[spec 4.cart.1] [spec 4.cart.2] notices say whether a line was added or updated', async () => {
  const { addToCart, toasts } = await openTab();
  addToCart(line());
  expect(toasts().at(-1)?.title).toBe('Added to cart');
  addToCart(line());
  expect(toasts().at(-1)?.title).toBe('Cart updated');
});

it('an edit keeps the line of another tab whose event has not arrived', async () => {
  const first = await openTab();
  const second = await openTab();
  first.addToCart(line());
  second.addToCart(line({ id: 'kiwi' }));
  notifyOtherTabs();
  expect(first.ids()).toEqual(['mango', 'kiwi']);
  expect(second.ids()).toEqual(['mango', 'kiwi']);
});

it('an edit in one tab does not restore lines that another tab has cleared', async () => {
  const first = await openTab();
  const second = await openTab();
  first.addToCart(line());
  notifyOtherTabs();
  second.clearCart();
  first.changeQuantity(lineKey(line()), 5);
  expect(stored()).toEqual([]);
});

it('a full localStorage loses no line, and one notice says that the cart is not saved', async () => {
  const { addToCart, ids, toasts } = await openTab();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  addToCart(line());
  addToCart(line({ id: 'kiwi' }));
  expect(ids()).toEqual(['mango', 'kiwi']);
  expect(toasts().filter(({ title }) => title === 'Your cart is not saved')).toHaveLength(1);
});

it('the next page of the tab shows the newer cart, not the older one in localStorage', async () => {
  const before = await openTab();
  before.addToCart(line());
  const setItem = Storage.prototype.setItem;
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
    if (this === window.localStorage) throw new DOMException('full', 'QuotaExceededError');
    setItem.call(this, key, value);
  });
  before.addToCart(line({ id: 'kiwi' }));
  const after = await openTab();
  expect(after.ids()).toEqual(['mango', 'kiwi']);
});

it('without localStorage the cart lasts as long as the tab', async () => {
  vi.spyOn(window, 'localStorage', 'get').mockReturnValue(null as unknown as Storage);
  const { addToCart, ids } = await openTab();
  addToCart(line());
  expect(ids()).toEqual(['mango']);
  expect(JSON.parse(sessionStorage.getItem('fresh-fruits.cart') ?? '[]')).toEqual([line()]);
});
