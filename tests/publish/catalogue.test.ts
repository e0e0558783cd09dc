import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type StubApi, startStubApi, wireProduct } from './support/stub-catalogue.ts';

/** Reads the catalogue as a new build does. */
async function read(api: StubApi) {
  vi.stubEnv('PUBLIC_API_HOST', api.url);
  vi.resetModules();
  const { catalogue } = await import('#catalogue/catalogue.ts');
  return catalogue();
}

describe('the catalogue a build reads', () => {
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
  });

  test('[fault 3] is read again while it shifts, then given up', async () => {
    const api = await startStubApi(150);
    let passes = 0;
    api.onPage = (page) => {
      if (page !== 1) return;
      passes += 1;
      api.products = [wireProduct(1_000 + passes), ...api.products];
    };
    await expect(read(api)).rejects.toThrow('The catalogue kept changing while it was read.');
    expect(passes).toBe(4);
  });

  test('[fault 3] is whole when it shifted once', async () => {
    const api = await startStubApi(150);
    let shifted = false;
    api.onPage = () => {
      if (shifted) return;
      shifted = true;
      api.products = [wireProduct(1_000), ...api.products];
    };
    const { products } = await read(api);
    expect(new Set(products.map(({ id }) => id)).size).toBe(151);
  });

  test('[fault 3] is never half of what was changed while it was read', async () => {
    const api = await startStubApi(150);
    let changed = false;
    api.onPage = (page) => {
      if (changed || page !== 2) return;
      changed = true;
      api.products = api.products.map((product) => ({ ...product, regularPrice: 4321 }));
    };
    const { products } = await read(api);
    expect(products.map(({ price }) => price)).toEqual(products.map(() => 4321));
  });

  test('[fault 3] may not lack one product because another came twice', async () => {
    const api = await startStubApi(150);
    api.products[149] = api.products[0] ?? {};
    await expect(read(api)).rejects.toThrow('The catalogue kept changing while it was read.');
  });

  test('is whole also where the API does not say how many there are', async () => {
    const api = await startStubApi(250);
    api.isCounted = false;
    expect((await read(api)).products).toHaveLength(250);
  });

  test('counts what is left out once also where the API has no pages', async () => {
    const api = await startStubApi(20);
    api.isCounted = false;
    api.hasPages = false;
    api.products[3] = { ...wireProduct(3), regularPrice: -1 };
    expect((await read(api)).products).toHaveLength(19);
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual([expect.stringContaining('data[3] left out')]);
  });

  test('[fault 4] may not be empty', async () => {
    const api = await startStubApi(0);
    await expect(read(api)).rejects.toThrow(`The catalogue of ${api.url}/api/v1 is empty.`);
  });

  const noAddress = [
    ['[fault 60]', '../x'],
    ['[fault 60]', '..'],
    ['[fault 60]', 'a/b'],
    ['[fault 60]', 'a\\b'],
    ['[fault 60]', '%2e'],
    ['[fault 60]', 'p0.html'],
    ['[fault 60]', 'p0.html.BR'],
    ['[fault 60]', 'x'.repeat(300)],
    ['[fault 57]', '__proto__'],
    ['[fault 57]', 'constructor'],
    ['[fault 57]', 'prototype'],
  ].map(([fault, id = '']) => [fault, id.slice(0, 20), id] as const);
  test.each(noAddress)('%s skips a product whose id is %j, and says so', async (_fault, _start, id) => {
    const api = await startStubApi(2);
    api.products.splice(1, 0, { ...wireProduct(2), id });
    expect((await read(api)).products.map((product) => product.id)).toEqual(['p0', 'p1']);
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining(JSON.stringify(id.slice(0, 80))));
  });

  test('[fault 60] takes the longest id that is an address', async () => {
    const api = await startStubApi(1);
    api.products.push({ ...wireProduct(2), id: 'x'.repeat(200) });
    expect((await read(api)).products).toHaveLength(2);
  });

  test('[fault 60] may not hold two ids that are one file somewhere', async () => {
    const api = await startStubApi(2);
    api.products.push({ ...wireProduct(2), id: 'P1' });
    await expect(read(api)).rejects.toThrow("Products 'p1' and 'P1'");
  });
});
