import { describe, expect, it } from 'vitest';
import { saveCategories } from '#scripts/api/catalogue/categories/edit-categories.ts';
import {
  bringBack,
  copyOf,
  createProduct,
  saveProduct,
  takeOutOfSale,
} from '#scripts/api/catalogue/products/edit-products.ts';
import { storedProduct, storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import type { Transaction } from '#scripts/api/db/database.ts';
import { catalogueVersion } from '#scripts/api/shop/catalogue-version.ts';
import { savePolicy, saveStoreRecord, storeRecord } from '#scripts/api/store/edit-store.ts';
import { catalogue, MANGO, PINEAPPLE, testApi } from '#tests/api/support/api.ts';

const NOW = '2026-01-05T10:00:00.000Z';

async function shop() {
  const api = await testApi();
  const { db, pass } = api;
  /** Runs an edit in a transaction of its own, and lets the API notice it. */
  async function run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const result = await db.write(work);
    pass(1_000);
    return result;
  }
  const fields = async (id = MANGO) => ({ ...(await storedProduct(db, id))?.product });
  const order = async () =>
    (await storedProducts(db)).filter(({ isOnSale }) => isOnSale).map(({ product }) => product.id);
  return { ...api, orders: api.order, run, fields, order };
}

describe('a product', () => {
  it('is refused with an error for each field, and nothing is stored', async () => {
    const { run, fields, db } = await shop();
    const version = await catalogueVersion(db);
    const input = {
      ...(await fields()),
      title: ' ',
      regularPrice: 1.005,
      attributes: [{ key: 'size', values: [] }],
      colour: 'green',
    };
    const refused = await run((transaction) => saveProduct(transaction, MANGO, input));
    expect(refused).toEqual({
      status: 'refused',
      errors: {
        title: 'must not be empty',
        regularPrice: 'has more than two decimals',
        'attributes.0.values': 'needs a value',
        colour: expect.any(String),
      },
    });
    const pictures = { ...(await fields()), images: [{ url: 'mango.webp' }, { url: 'none.webp' }] };
    expect(await run((transaction) => saveProduct(transaction, MANGO, pictures))).toEqual({
      status: 'refused',
      errors: { 'images.1.url': "there is no picture 'none.webp'" },
    });
    expect(await catalogueVersion(db)).toBe(version);
    expect(await run((transaction) => saveProduct(transaction, 'none', input))).toEqual({
      status: 'missing',
    });
  });

  it('is created behind its category, with an id of its title that nobody has', async () => {
    const { run, fields, order, ask } = await shop();
    const before = await order();
    const input = { ...copyOf(catalogue.products[0] ?? expect.fail()), title: 'Alphonso Mango, Box of 6' };
    const first = await run((transaction) => createProduct(transaction, input, NOW));
    const second = await run((transaction) => createProduct(transaction, input, NOW));
    expect([first, second]).toMatchObject([
      { status: 'saved', after: { product: { id: 'alphonso-mango-box-of-6', createdAt: NOW }, version: 1 } },
      { status: 'saved', after: { product: { id: 'alphonso-mango-box-of-6-2' } } },
    ]);
    const { category } = await fields();
    const last = before.findLast((id) =>
      catalogue.products.some((product) => product.id === id && product.category === category),
    );
    const after = await order();
    expect(after.slice(after.indexOf(last ?? '') + 1).slice(0, 2)).toEqual([
      'alphonso-mango-box-of-6',
      'alphonso-mango-box-of-6-2',
    ]);
    expect(after.filter((id) => before.includes(id))).toEqual(before);
    expect((await ask('/products/alphonso-mango-box-of-6')).status).toBe(200);
  });

  it('is taken out of sale and brought back to its place; orders keep it', async () => {
    const { run, order, ask, customer, orders } = await shop();
    const before = await order();
    const { token } = await customer();
    await orders(token, { [PINEAPPLE]: 1 });
    const gone = await run((transaction) => takeOutOfSale(transaction, PINEAPPLE));
    expect(gone).toMatchObject({ status: 'saved', after: { isOnSale: false, version: 2 } });
    expect((await ask(`/products/${PINEAPPLE}`)).status).toBe(404);
    expect((await orders(token, { [PINEAPPLE]: 1 })).status).toBe(422);
    expect((await ask('/orders', { token })).json).toMatchObject({ data: [{ items: [{ quantity: 1 }] }] });
    await run((transaction) => bringBack(transaction, PINEAPPLE));
    expect(await order()).toEqual(before);
  });
});

describe('GET /products', () => {
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

describe('the store', () => {
  it('is refused with an error for each field', async () => {
    const { run, db } = await shop();
    const value = await storeRecord(db);
    const input = { ...value, companyEmail: 'x', storeName: '', companyLogoUrl: 'none.webp' };
    expect(await run((transaction) => saveStoreRecord(transaction, input))).toEqual({
      status: 'refused',
      errors: { companyEmail: 'must be an email address', storeName: 'must not be empty' },
    });
    const logo = { ...value, companyLogoUrl: 'none.webp' };
    expect(await run((transaction) => saveStoreRecord(transaction, logo))).toMatchObject({
      errors: { companyLogoUrl: "there is no picture 'none.webp'" },
    });
    expect(await run((transaction) => savePolicy(transaction, '../x', ' '))).toMatchObject({
      errors: { slug: 'must be a slug such as terms', text: 'must not be empty' },
    });
  });

  it('has no category twice, of no name, or with a picture that is not there', async () => {
    const { run } = await shop();
    const save = (list: unknown) => run((transaction) => saveCategories(transaction, list));
    expect(
      await save([
        { name: 'Fruit', image: 'none.webp' },
        { name: 'fruit', image: '', was: 'Nothing' },
      ]),
    ).toEqual({
      status: 'refused',
      errors: {
        '0.image': "there is no picture 'none.webp'",
        '1.name': 'is in the list twice',
        '1.was': 'is the name of no category',
      },
    });
    expect(await save([{ name: '__proto__', image: '' }])).toMatchObject({
      errors: { '0.name': 'is a reserved name' },
    });
    expect(await save([])).toMatchObject({ errors: { '': 'needs a category' } });
  });
});
