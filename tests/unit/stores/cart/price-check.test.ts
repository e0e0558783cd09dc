// @vitest-environment jsdom
import { cleanStores } from 'nanostores';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { CartLine } from '#domain/cart.ts';
import { cartLine } from '#tests/support/samples.ts';

const line = (id: string, change: Partial<CartLine> = {}): CartLine =>
  cartLine({ id, name: id, price: 100, ...change });

const requested: string[] = [];
let atOnce = 0;
let mostAtOnce = 0;

/** The API's response for each product; a number is an HTTP status. The delivery terms do not answer. */
function answer(prices: Record<string, number | { status: number }>): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const id = decodeURIComponent(request.url.split('/').pop() ?? '');
    if (id === 'storeInfo') throw new TypeError('Failed to fetch');
    requested.push(id);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    const found = prices[id] ?? 100;
    if (typeof found === 'object') return Response.json({ error: 'No.' }, { status: found.status });
    return Response.json({ data: { id, title: id, regularPrice: found } });
  });
}

async function open(cart: CartLine[]) {
  localStorage.setItem('cart', JSON.stringify(cart));
  vi.resetModules();
  const store = await import('#stores/cart/price-check.ts');
  store.$checkedCart.listen(() => {});
  onTestFinished(() => cleanStores(store.$checkedCart));
  return {
    ...store,
    checked: () => store.$checkedCart.get(),
    stored: (): CartLine[] => JSON.parse(localStorage.getItem('cart') ?? '[]'),
  };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  requested.length = 0;
  mostAtOnce = 0;
});

it('the price check requests each product once, a few at a time', async () => {
  answer({});
  const many = Array.from({ length: 30 }, (_, index) => line(`p${index}`));
  const { checkPrices } = await open([...many, line('p0', { selectedSize: 'L' })]);
  await checkPrices();
  await checkPrices();
  expect(requested).toHaveLength(30);
  expect(mostAtOnce).toBeLessThanOrEqual(6);
});

it('the price check keeps the stored prices if the API is down, and does not request them again at once', async () => {
  answer({ mango: { status: 400 } });
  const { checkPrices, checked, stored } = await open([line('mango')]);
  await checkPrices();
  await checkPrices();
  expect(requested).toEqual(['mango']);
  expect(checked()).toEqual([{ line: line('mango'), needsConsent: false, isPriced: true }]);
  expect(stored()).toEqual([line('mango')]);
});

it('the price check requests every product again before an order, even after a recent answer', async () => {
  answer({ mango: { status: 400 } });
  const { checkPrices, checkAllPrices, checked } = await open([line('mango'), line('kiwi')]);
  await checkPrices();
  answer({ mango: 120, kiwi: 110 });
  await checkAllPrices();
  expect(checked()).toMatchObject([{ needsConsent: true }, { needsConsent: true }]);
});

it('the price check shows new prices when the visitor returns to the page, and requests them at most once a minute', async () => {
  answer({ kiwi: 90 });
  const start = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(start);
  const { $checkedCart, checked } = await open([line('kiwi')]);
  await expect.poll(checked).toMatchObject([{ was: 100, line: { price: 90 } }]);
  const returnToPage = (): boolean =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  answer({ kiwi: 80 });
  returnToPage();
  clock.mockReturnValue(start + 61_000);
  returnToPage();
  await expect.poll(checked).toMatchObject([{ was: 100, line: { price: 80 } }]);
  expect(requested).toEqual(['kiwi', 'kiwi']);
  cleanStores($checkedCart);
  clock.mockReturnValue(start + 122_000);
  returnToPage();
  expect(requested).toHaveLength(2);
});
