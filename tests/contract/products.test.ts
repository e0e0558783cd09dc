import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CapabilitiesSchema } from '#api/schema/capabilities.ts';
import { ProductPageSchema, SingleProductSchema } from '#api/schema/product.ts';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { backend, forSale } from './support/backend.ts';

const product = (index: number, more: Partial<CatalogueProduct> = {}): CatalogueProduct =>
  forSale({ id: `p${index}`, ...more });

const gender = (...values: string[]) => [{ key: ' Gender ', values }];

const COUNTED = v.looseObject({
  pagination: v.looseObject({ page: v.number(), limit: v.number(), total: v.number() }),
});

type Backend = Awaited<ReturnType<typeof backend>>;

const pageAt = async ({ request }: Backend, path: string) =>
  v.parseAsync(ProductPageSchema, (await request(path)).json);

const idsAt = async (api: Backend, path: string) => (await pageAt(api, path)).products.map(({ id }) => id);

async function selling(...products: CatalogueProduct[]) {
  const api = await backend('sell');
  await api.hooks.sell?.(products);
  return { list: (path: string) => idsAt(api, path) };
}

describe('GET /products', () => {
  it('[spec 7.products.5] returns pages of 12 with the total, and every product is valid', async () => {
    const page = await pageAt(await backend(), '/products');
    expect(page).toMatchObject({ dropped: [], isCounted: true });
    expect(page.products).toHaveLength(Math.min(12, page.total));
  });

  it('lists every product once, in a stable order', async () => {
    const api = await backend();
    const all = await idsAt(api, '/products?limit=100&page=1');
    const pages = await Promise.all([1, 2, 3].map((page) => idsAt(api, `/products?limit=4&page=${page}`)));
    expect(pages.flat()).toEqual(all.slice(0, 12));
    expect(new Set(all).size).toBe(all.length);
  });

  it.each([
    ['limit=1e9', { limit: 100, page: 1 }],
    ['limit=0', { limit: 1, page: 1 }],
    ['page=-1', { limit: 12, page: 1 }],
    ['page=2.9', { limit: 12, page: 2 }],
    ['page=abc&limit=', { limit: 12, page: 1 }],
    ['page=Infinity', { limit: 12, page: 1_000_000 }],
  ])('%s is read as a valid page', async (query, valid) => {
    const { request, hooks } = await backend();
    const { status, json } = await request(`/products?${query}`);
    expect(status).toBe(200);
    const { pagination } = v.parse(COUNTED, json);
    if (hooks.ownWords) expect(pagination).toMatchObject(valid);
    else expect(pagination.limit).toBeGreaterThan(0);
  });

  it('[spec 7.products.10] category and parentCategory are compared without case', async () => {
    const { list } = await selling(
      product(1),
      product(2, { category: 'Bath & Body', parentCategory: 'Home' }),
      product(3, { category: 'berries', parentCategory: 'Home' }),
    );
    expect(await list('/products?category=bERRIES')).toEqual(['p1', 'p3']);
    expect(await list('/products?category=bath%20%26%20body')).toEqual(['p2']);
    expect(await list('/products?parentCategory=HOME')).toEqual(['p2', 'p3']);
    expect(await list('/products?parentCategory=home&category=berries')).toEqual(['p3']);
    expect(await list('/products?category=nothing')).toEqual([]);
  });

  it('[spec 7.products.10] a category of the shop lists only its products', async () => {
    const api = await backend();
    const { product: some } = api;
    const query = new URLSearchParams({ category: some.category.toLowerCase(), limit: '100' });
    const { products } = await pageAt(api, `/products?${query}`);
    expect(products.map(({ id }) => id)).toContain(some.id);
    for (const { category } of products) expect(category.toLowerCase()).toBe(some.category.toLowerCase());
  });

  it('[spec 7.products.10] gender=Men lists products with this gender among their values', async () => {
    const { list } = await selling(
      product(1, { attributes: gender('Men') }),
      product(2, { attributes: gender('Women', 'men') }),
      product(3, { attributes: gender('Women') }),
      product(4),
    );
    expect(await list('/products?gender=Men')).toEqual(['p1', 'p2']);
    expect(await list('/products?gender=women')).toEqual(['p2', 'p3']);
  });

  it('[spec 7.products.10] filter lists the named categories for the named genders, and with null those without a gender', async () => {
    const { list } = await selling(
      product(1, { category: 'Accessories' }),
      product(2, { category: 'Accessories', attributes: gender('Unisex') }),
      product(3, { category: 'Accessories', attributes: gender('Men') }),
      product(4, { category: 'Soap', parentCategory: 'Personal Care' }),
      product(5),
    );
    const filter = 'Accessories,Personal Care,Home,null,Unisex';
    expect(await list(`/products?filter=${encodeURIComponent(filter)}`)).toEqual(['p1', 'p2', 'p4']);
    expect(await list('/products?filter=Accessories,Unisex')).toEqual(['p2']);
  });

  it('[bar] pages through 10,000 products to the last', async () => {
    const { list } = await selling(...Array.from({ length: 10_000 }, (_, index) => product(index)));
    expect(await list('/products?page=834')).toEqual(['p9996', 'p9997', 'p9998', 'p9999']);
    expect(await list('/products?page=835')).toEqual([]);
  });
});

describe('GET /products/:id', () => {
  it('[spec 7.products.6] returns the product as the list has it, with absolute picture URLs', async () => {
    const { request, product: listed } = await backend();
    const one = v.parse(
      SingleProductSchema,
      (await request(`/products/${encodeURIComponent(listed.id)}`)).json,
    );
    expect(one).toMatchObject({ id: listed.id, name: listed.name, price: listed.price, image: listed.image });
    for (const image of one.images) expect(image).toMatch(/^https?:\/\//);
  });

  it.each(['unknown', '__proto__', 'constructor', '..%2f..%2fetc', '%E0%A4%A', 'x'.repeat(5_000)])(
    '[spec 7.products.6] %s is a 404',
    async (id) => {
      const { request, expectedError } = await backend();
      const { status, json } = await request(`/products/${id}`);
      expect([status, json]).toEqual([404, { error: expectedError('Product not found') }]);
    },
  );
});

describe('GET /storeInfo', () => {
  it('[spec 7.store.1] returns the store record, with absolute picture URLs and policies as HTML', async () => {
    const { request } = await backend();
    const { status, json } = await request('/storeInfo');
    expect(status).toBe(200);
    const store = v.parse(StoreInfoSchema, json);
    expect(store.storeName || store.companyName).not.toBe('');
    expect(store.categories.length).toBeGreaterThan(0);
    for (const image of [store.companyLogoUrl, ...store.categoryImages.values()])
      expect(image).toMatch(/^(?:https?:\/\/.+)?$/);
    for (const html of store.policies.values()) expect(html).toContain('<');
  });

  it('[spec 3.offers.3] lists the capabilities of the backend beyond section 7, if there are any', async () => {
    const { request, capabilities } = await backend();
    expect(v.parse(CapabilitiesSchema, (await request('/storeInfo')).json)).toEqual(capabilities);
  });
});
