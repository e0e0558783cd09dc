import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { OffersReader } from '#api/schema/offers.ts';
import { ProductAnswerSchema, ProductListSchema, type WireProduct } from '#scripts/api/catalogue/schema.ts';
import { StoreAnswerSchema } from '#scripts/api/store/schema.ts';
import { catalogue, MANGO, testApi } from '#tests/api/support/api.ts';

const product = (index: number, more: Partial<WireProduct> = {}): WireProduct => ({
  id: `p${index}`,
  title: `Product ${index}`,
  description: '',
  imgUrl: 'mango.webp',
  category: 'Berries',
  parentCategory: 'Fresh Fruits',
  regularPrice: 10,
  discountedPrice: null,
  createdAt: '2025-01-01T00:00:00Z',
  images: [],
  attributes: [],
  ...more,
});

const gender = (...values: string[]) => [{ key: ' Gender ', values }];

const selling = (...products: WireProduct[]) => testApi({ catalogue: { ...catalogue, products } });

async function ids(path: string, api: Awaited<ReturnType<typeof testApi>>): Promise<string[]> {
  return v.parse(ProductListSchema, (await api.ask(path)).json).data.map(({ id }) => id);
}

describe('GET /products', () => {
  it('[spec 7.products.5] answers 12 of a page with pagination, in the order of the catalogue', async () => {
    const { ask } = await testApi();
    const list = v.parse(ProductListSchema, (await ask('/products')).json);
    const total = catalogue.products.length;
    expect(list.data.map(({ id }) => id)).toEqual(catalogue.products.slice(0, 12).map(({ id }) => id));
    expect(list.pagination).toEqual({ page: 1, limit: 12, total, totalPages: Math.ceil(total / 12) });
    expect(list.count).toBe(total);
  });

  it('pages through every product once', async () => {
    const api = await testApi();
    const pages = await Promise.all(
      Array.from({ length: 5 }, (_, index) => ids(`/products?limit=3&page=${index + 1}`, api)),
    );
    expect(pages.flat()).toEqual(catalogue.products.map(({ id }) => id));
  });

  it.each([
    ['limit=1e9', { limit: 100, page: 1 }],
    ['limit=0', { limit: 1, page: 1 }],
    ['page=-1', { limit: 12, page: 1 }],
    ['page=2.9', { limit: 12, page: 2 }],
    ['page=abc&limit=', { limit: 12, page: 1 }],
    ['page=Infinity', { limit: 12, page: 1_000_000 }],
  ])('[fault 93] %s is read as a sensible page', async (query, expected) => {
    const { ask } = await testApi();
    expect((await ask(`/products?${query}`)).json).toMatchObject({ pagination: expected });
  });

  it('[spec 7.products.10] category and parentCategory are compared without case', async () => {
    const api = await selling(
      product(1),
      product(2, { category: 'Bath & Body', parentCategory: 'Home' }),
      product(3, { category: 'berries', parentCategory: 'Home' }),
    );
    expect(await ids('/products?category=bERRIES', api)).toEqual(['p1', 'p3']);
    expect(await ids('/products?category=bath%20%26%20body', api)).toEqual(['p2']);
    expect(await ids('/products?parentCategory=HOME', api)).toEqual(['p2', 'p3']);
    expect(await ids('/products?parentCategory=home&category=berries', api)).toEqual(['p3']);
    expect(await ids('/products?category=nothing', api)).toEqual([]);
  });

  it('[spec 7.products.10] gender=Men lists what has the gender among its values', async () => {
    const api = await selling(
      product(1, { attributes: gender('Men') }),
      product(2, { attributes: gender('Women', 'men') }),
      product(3, { attributes: gender('Women') }),
      product(4),
    );
    expect(await ids('/products?gender=Men', api)).toEqual(['p1', 'p2']);
    expect(await ids('/products?gender=women', api)).toEqual(['p2', 'p3']);
  });

  it('[spec 7.products.10] filter lists named categories for named genders, and for nobody where null is named', async () => {
    const api = await selling(
      product(1, { category: 'Accessories' }),
      product(2, { category: 'Accessories', attributes: gender('Unisex') }),
      product(3, { category: 'Accessories', attributes: gender('Men') }),
      product(4, { category: 'Soap', parentCategory: 'Personal Care' }),
      product(5),
    );
    const filter = 'Accessories,Personal Care,Home,null,Unisex';
    expect(await ids(`/products?filter=${encodeURIComponent(filter)}`, api)).toEqual(['p1', 'p2', 'p4']);
    expect(await ids('/products?filter=Accessories,Unisex', api)).toEqual(['p2']);
  });

  it('[bar] pages through 10,000 products to the last', async () => {
    const api = await selling(...Array.from({ length: 10_000 }, (_, index) => product(index)));
    expect(await ids('/products?page=834', api)).toEqual(['p9996', 'p9997', 'p9998', 'p9999']);
    expect(await ids('/products?page=835', api)).toEqual([]);
  });

  it('[bar] asks about an unchanged catalogue are answered 304, until it changes', async () => {
    const api = await testApi();
    for (const path of ['/products?page=2', `/products/${MANGO}`, '/storeInfo']) {
      const first = await api.ask(path);
      const tag = first.headers.get('etag') ?? '';
      const again = await api.ask(path, { headers: { 'If-None-Match': `"other", W/${tag}` } });
      expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
      expect((await api.ask(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    }
  });
});

describe('GET /products/{id}', () => {
  it('[spec 7.products.6] answers the product with pictures that have an address', async () => {
    const { ask } = await testApi({ settings: { apiOrigin: 'https://api.example' } });
    const { data } = v.parse(ProductAnswerSchema, (await ask(`/products/${MANGO}`)).json);
    expect(data).toMatchObject({
      title: 'Alphonso Mango, box of 6',
      regularPrice: 1099,
      discountedPrice: 899,
    });
    expect([data.imgUrl, data.images[0]?.url]).toEqual(
      Array(2).fill('https://api.example/images/mango.webp'),
    );
  });

  it.each(['unknown', '__proto__', 'constructor', '..%2f..%2fetc', '%E0%A4%A', 'x'.repeat(5_000)])(
    '[spec 7.products.6] %s is a 404',
    async (id) => {
      const { ask } = await testApi();
      const { status, json } = await ask(`/products/${id}`);
      expect([status, json]).toEqual([404, { error: 'Product not found' }]);
    },
  );
});

describe('GET /storeInfo', () => {
  it('[spec 7.store.1] answers the store record, pictures with an address, policies as HTML', async () => {
    const { ask } = await testApi({ settings: { apiOrigin: 'https://api.example' } });
    const info = v.parse(StoreAnswerSchema, (await ask('/storeInfo')).json);
    expect(info.categories[0]).toBe('Tropical Fruits');
    expect(info.companyLogoUrl).toBe('https://api.example/images/logo.webp');
    expect(info.categoryImages).toMatchObject({ Berries: 'https://api.example/images/cat-berries.webp' });
    expect(info.policies).toMatchObject({ shipping: expect.stringContaining('<p>') });
  });

  it('[spec 3.offers.3] lists what this API offers', async () => {
    const { ask } = await testApi();
    const { json } = await ask('/storeInfo');
    expect(v.parse(OffersReader, json)).toEqual(['idempotencyKeys', 'orderLines']);
  });
});

describe('GET /images/{name}', () => {
  it('serves a picture with type, freshness and validator', async () => {
    const { ask } = await testApi();
    const picture = await ask('/images/mango.webp');
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toBe('image/webp');
    expect(picture.headers.get('cache-control')).toContain('max-age=3600');
    const tag = picture.headers.get('etag') ?? '';
    expect((await ask('/images/mango.webp', { headers: { 'If-None-Match': tag } })).status).toBe(304);
  });

  it.each(['none.webp', '..%2fstore.json', 'README.md', '%2e%2e%2fREADME.md', '.webp'])(
    '%s is a 404',
    async (name) => {
      const { ask } = await testApi();
      expect((await ask(`/images/${name}`)).status).toBe(404);
    },
  );
});
