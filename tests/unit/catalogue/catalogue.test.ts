import { beforeEach, expect, test, vi } from 'vitest';
import { productDto, type StubApi, startStubApi } from '#tests/publish/support/stub-catalogue.ts';

/** Reads the catalogue like a new build. */
async function read(api: StubApi) {
  vi.stubEnv('PUBLIC_API_HOST', api.url);
  vi.resetModules();
  const { catalogue } = await import('#catalogue/catalogue.ts');
  return catalogue();
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

test('retries while the catalogue changes, then fails', async () => {
  const api = await startStubApi(150);
  let passes = 0;
  api.onPage = (page) => {
    if (page !== 1) return;
    passes += 1;
    api.products = [productDto(1_000 + passes), ...api.products];
  };
  await expect(read(api)).rejects.toThrow('The catalogue kept changing while it was read.');
  expect(passes).toBe(4);
});

test('succeeds after one change, and never mixes products from before and after it', async () => {
  const api = await startStubApi(150);
  let isChanged = false;
  api.onPage = (page) => {
    if (isChanged || page !== 2) return;
    isChanged = true;
    const dearer = api.products.map((product) => ({ ...product, regularPrice: 4321 }));
    api.products = [{ ...productDto(1_000), regularPrice: 4321 }, ...dearer];
  };
  const { products } = await read(api);
  expect(new Set(products.map(({ id }) => id)).size).toBe(151);
  expect(products.map(({ price }) => price)).toEqual(products.map(() => 4321));
});

test('works if the API sends no total', async () => {
  const api = await startStubApi(250);
  api.isCounted = false;
  expect((await read(api)).products).toHaveLength(250);
});

test('counts an invalid product once if the API has no paging', async () => {
  const api = await startStubApi(20);
  api.isCounted = false;
  api.hasPages = false;
  api.products[3] = { ...productDto(3), regularPrice: -1 };
  expect((await read(api)).products).toHaveLength(19);
  expect(vi.mocked(console.warn).mock.calls.flat()).toEqual([expect.stringContaining('data[3] left out')]);
});

test.each([
  ['one product comes twice and another is missing', 150, 'kept changing while it was read.'],
  ['pages are missing', 450, '/api/v1/products?page=3&limit=100 no answer'],
  ['it is empty', 0, '/api/v1 is empty.'],
  ['two ids are the same file on some hosts', 2, "Products 'p1' and 'P1'"],
])('fails if %s', async (_what, count, reason) => {
  const api = await startStubApi(count);
  api.pagesAnswered = 2;
  if (count === 150) api.products[149] = productDto(0);
  if (count === 2) api.products.push({ ...productDto(2), id: 'P1' });
  await expect(read(api)).rejects.toThrow(reason);
});

const longId = 'x'.repeat(201);
test.each([
  ...['../x', '..', 'a/b', 'a\\b', '%2e', 'p0.html', 'p0.html.BR', longId],
  ...['__proto__', 'constructor', 'prototype'],
])('skips a product with the id %j, with a warning', async (id) => {
  const api = await startStubApi(2);
  const longest = 'x'.repeat(200);
  api.products.splice(1, 0, { ...productDto(2), id }, { ...productDto(3), id: longest });
  expect((await read(api)).products.map((product) => product.id)).toEqual(['p0', longest, 'p1']);
  expect(console.warn).toHaveBeenCalledWith(expect.stringContaining(JSON.stringify(id.slice(0, 80))));
});

/** The cache keys of a new build, by product. */
async function keysOf(api: StubApi): Promise<Map<string, string>> {
  vi.stubEnv('PUBLIC_API_HOST', api.url);
  vi.resetModules();
  const { productPages } = await import('#catalogue/product-pages.ts');
  return new Map((await productPages()).map(({ params, cacheKey }) => [params.id, cacheKey]));
}

/** The products whose cache keys differ after a change. */
async function changedBy(change: (api: StubApi) => void): Promise<string[]> {
  vi.stubGlobal('__SITE_FOLDER__', '');
  vi.stubGlobal('__CODE_HASH__', 'the code');
  const api = await startStubApi(14);
  const before = await keysOf(api);
  change(api);
  const after = await keysOf(api);
  return [...after.keys()].filter((id) => after.get(id) !== before.get(id));
}

test('the cache key of a product page changes only with the product and the products that show it as related', async () => {
  expect(await changedBy(() => {})).toEqual([]);
  const rename = (api: StubApi): void => {
    api.products[9] = { ...productDto(9), title: 'Renamed Mango' };
  };
  expect(await changedBy(rename)).toEqual(['p5', 'p6', 'p7', 'p8', 'p9']);
});

test.each([
  ['the store record', (api: StubApi) => Object.assign(api.store, { companyPhone: '+91 11111 22222' })],
  ['a policy', (api: StubApi) => Object.assign(api.store, { policies: { terms: '<p>Others.</p>' } })],
  ['the code', () => vi.stubGlobal('__CODE_HASH__', 'other code')],
])('the cache key of a product page changes for all products with %s', async (_what, change) => {
  expect(await changedBy(change)).toHaveLength(14);
});
