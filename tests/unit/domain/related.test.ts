import { expect, test } from 'vitest';
import type { Product } from '#domain/product.ts';
import { relatedBy } from '#domain/related.ts';
import { aProduct } from '#tests/support/product.ts';

const product = (id: string, category: string, parentCategory = 'Fruit'): Product =>
  aProduct({ id, category, parentCategory });

const ids = (products: readonly Product[]) => {
  const related = relatedBy(products);
  return Object.fromEntries(products.map((each) => [each.id, related(each).map(({ id }) => id)]));
};

test('the next ones of the same category, round and round, never itself', () => {
  const berries = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => product(id, id < 'c' ? 'berries' : 'Berries'));
  const found = ids([...berries, product('x', 'Melons', 'Other')]);
  expect(found).toMatchObject({ a: ['b', 'c', 'd', 'e'], f: ['a', 'b', 'c', 'd'], x: [] });
  for (const id of ['a', 'f']) {
    expect(Object.values(found).filter((shown) => shown.includes(id))).toHaveLength(4);
  }
});

test('the only one of its category looks to its parent category', () => {
  expect(ids([product('a', 'A'), product('b', 'B'), product('c', 'B')])).toEqual({
    a: ['b', 'c'],
    b: ['c'],
    c: ['b'],
  });
});
