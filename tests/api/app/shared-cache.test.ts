import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunningApi, startApi } from '#scripts/api/app/start.ts';
import { importCatalogue } from '#scripts/api/catalogue/folder/import.ts';
import { ProductListSchema } from '#scripts/api/catalogue/schema.ts';
import { fetchProductsToday } from '#stores/cart/products-today.ts';
import { CATALOGUE, catalogue, MANGO, testApi } from '#tests/api/support/api.ts';
import { emptyDatabase } from '#tests/api/support/databases.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { isInstalled, startCachingNginx, type WebServer } from '#tests/publish/support/web-servers.ts';
import { createShopClient } from '#tests/support/shop-client.ts';

const isHere = isInstalled('nginx', '-v');
if (!isHere) console.warn('nginx is not installed: the API is not tested behind a shared cache.');

describe('what a cache may do with an answer', () => {
  const byEncoding = 'Accept-Encoding, Origin';

  it.each([
    ['/products', byEncoding, 'public, max-age=0, s-maxage=30, stale-while-revalidate=30'],
    [
      '/products?page=2&category=berries',
      byEncoding,
      'public, max-age=0, s-maxage=30, stale-while-revalidate=30',
    ],
    ['/storeInfo', byEncoding, 'public, max-age=0, s-maxage=30, stale-while-revalidate=30'],
    ['/openapi.json', byEncoding, 'public, max-age=0, s-maxage=30, stale-while-revalidate=30'],
    ['/images/mango.webp', 'Origin', 'public, max-age=3600, s-maxage=30, stale-while-revalidate=86400'],
    [`/products/${MANGO}`, 'Origin', 'public, no-cache'],
  ])('%s: a 200 and a 304 vary by %s and say %s', async (path, vary, expected) => {
    const { ask } = await testApi();
    const { status, headers } = await ask(path);
    const again = await ask(path, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
    expect([status, again.status]).toEqual([200, 304]);
    for (const each of [headers, again.headers]) {
      expect([each.get('cache-control'), each.get('vary')]).toEqual([expected, vary]);
    }
  });

  it.each(['/products/unknown', '/images/unknown.webp', '/unknown'])('%s is not stored', async (path) => {
    const { ask } = await testApi();
    expect((await ask(path)).headers.get('cache-control')).toBe('no-store');
  });
});

describe.skipIf(!isHere)('behind a shared cache', () => {
  let api: RunningApi;
  let cache: WebServer;
  let now = 0;

  beforeEach(async () => {
    now = Date.parse('2026-01-05T10:00:00Z');
    api = await startApi({ database: await emptyDatabase(), catalogue: CATALOGUE, clock: () => now });
    cache = await startCachingNginx(temporaryFolder(), api.url);
    vi.stubEnv('PUBLIC_API_HOST', cache.url);
  });

  afterEach(async () => {
    await cache.stop();
    await api.close();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${cache.url}/api/v1${path}`, { headers });

  /** The mango's price in a list, in rupees, and where the list came from. */
  async function listed() {
    const answer = await get('/products?limit=1');
    const { data } = v.parse(ProductListSchema, await answer.json());
    return [data[0]?.discountedPrice, answer.headers.get('x-cache')];
  }

  /** The mango's price as the cart and the checkout ask for it, in rupees. */
  async function checkedOut() {
    const answer = (await fetchProductsToday([MANGO])).get(MANGO);
    return typeof answer === 'object' ? answer.price : answer;
  }

  async function changePrice(discountedPrice: number): Promise<void> {
    const products = catalogue.products.map((product) =>
      product.id === MANGO ? { ...product, discountedPrice } : product,
    );
    await importCatalogue(api.db, { ...catalogue, products });
    now += 1_000;
  }

  it('[fault 67] a changed price reaches the checkout and the order at once, while a list may be older', async () => {
    const { newSignedIn, order } = createShopClient({ ...api, url: cache.url });
    const shopper = await newSignedIn();
    expect([await listed(), await checkedOut()]).toEqual([[899, 'MISS'], 899]);
    await changePrice(950);
    expect([await listed(), await checkedOut()]).toEqual([[899, 'HIT'], 950]);
    const placed = await order(shopper, { quantities: { [MANGO]: 1 } });
    expect(placed.items.map(({ price }) => price)).toEqual([950]);
  });
});
