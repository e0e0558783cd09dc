import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  type Category,
  categoryName,
  saveCategories,
} from '#server/catalogue/categories/stored-categories.ts';
import { createProduct } from '#server/catalogue/products/edit-products.ts';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import type { Transaction } from '#server/db/database.ts';
import { catalogue, testApi } from '#tests/server/support/api.ts';

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
  const order = async () =>
    (await storedProducts(db))
      .filter(({ isDiscontinued }) => !isDiscontinued)
      .map(({ product }) => product.id);
  return { ...api, run, order };
}

describe('a product', () => {
  it('is created after the products of its category, with an unused id from its title', async () => {
    const { run, order, ask } = await shop();
    const before = await order();
    const { id: _id, createdAt: _at, ...like } = catalogue.products[0] ?? expect.fail();
    const input = { ...like, title: 'Alphonso Mango, Box of 6' };
    const first = await run((transaction) => createProduct(transaction, input, NOW));
    const second = await run((transaction) => createProduct(transaction, input, NOW));
    expect([first, second]).toMatchObject([
      { product: { id: 'alphonso-mango-box-of-6', createdAt: NOW } },
      { product: { id: 'alphonso-mango-box-of-6-2' } },
    ]);
    const last = before.findLast((id) =>
      catalogue.products.some((product) => product.id === id && product.category === like.category),
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
