import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  type Category,
  categoryName,
  saveCategories,
} from '#server/catalogue/categories/stored-categories.ts';
import { createProduct, saveProduct } from '#server/catalogue/products/edit-products.ts';
import { storedProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import type { Transaction } from '#server/db/database.ts';
import { catalogueVersion } from '#server/services/catalogue-version.ts';
import { catalogue, MANGO, testApi } from '#tests/server/support/api.ts';

const NOW = '2026-01-05T10:00:00.000Z';

async function shop() {
  const api = await testApi();
  const { db, pass } = api;
  /** Runs an edit in a transaction, and waits until the API checks for a new version. */
  async function run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const result = await db.write(work);
    pass(1_000);
    return result;
  }
  const fields = async (id = MANGO) => ({ ...(await storedProduct(db, id))?.product });
  const order = async () =>
    (await storedProducts(db))
      .filter(({ isDiscontinued }) => !isDiscontinued)
      .map(({ product }) => product.id);
  return { ...api, orders: api.order, run, fields, order };
}

describe('a product', () => {
  it('is refused with an error for each invalid field, and not stored', async () => {
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
      mistakes: new Map([
        ['title', 'title must not be empty'],
        ['regularPrice', 'regularPrice has more than two decimals'],
        ['attributes.0.values', 'attributes.0.values needs a value'],
        ['colour', expect.any(String)],
      ]),
    });
    const pictures = { ...(await fields()), images: [{ url: 'mango.webp' }, { url: 'none.webp' }] };
    expect(await run((transaction) => saveProduct(transaction, MANGO, pictures))).toEqual({
      mistakes: new Map([['pictures', "Pictures: there is no picture 'none.webp'"]]),
    });
    expect(await catalogueVersion(db)).toBe(version);
    await expect(run((transaction) => saveProduct(transaction, 'none', input))).rejects.toMatchObject({
      status: 404,
    });
  });

  it('is created after the products of its category, with an unused id from its title', async () => {
    const { run, fields, order, ask } = await shop();
    const before = await order();
    const { id: _id, createdAt: _at, ...like } = catalogue.products[0] ?? expect.fail();
    const input = { ...like, title: 'Alphonso Mango, Box of 6' };
    const first = await run((transaction) => createProduct(transaction, input, NOW));
    const second = await run((transaction) => createProduct(transaction, input, NOW));
    expect([first, second]).toMatchObject([
      { product: { id: 'alphonso-mango-box-of-6', createdAt: NOW } },
      { product: { id: 'alphonso-mango-box-of-6-2' } },
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
});

describe('the list of categories', () => {
  it('is refused if it is empty, or has a category twice or a missing picture', async () => {
    const { run } = await shop();
    const save = (list: readonly Category[]) => run((transaction) => saveCategories(transaction, list));
    const twice = ['Fruit', 'fruit'].map((name) => ({ name, image: '' }));
    expect(await save(twice)).toBe('is in the list twice');
    expect(await save([{ name: 'Fruit', image: 'none.webp' }])).toBe("has no picture 'none.webp'");
    expect(await save([])).toBe('needs a category');
    expect(v.is(categoryName, '__proto__')).toBe(false);
  });
});
