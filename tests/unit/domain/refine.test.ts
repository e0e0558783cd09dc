import { expect, test } from 'vitest';
import type { Product } from '#domain/product.ts';
import { compareSizes, facetsOf, refine } from '#domain/refine.ts';
import { aProduct } from '#tests/support/product.ts';

const product = (id: string, price: number, change: Partial<Product> = {}): Product =>
  aProduct({ id, name: id, price, ...change });

const products = [
  product('tee', 499.5, { sizes: ['S', 'M'], colors: ['Red'], createdAt: '2026-01-02T10:00:00.000Z' }),
  product('mango', 899, { originalPrice: 1099, createdAt: '2025-08-04T10:42:00.000Z' }),
  product('free', 0, { createdAt: 'garbage' }),
  product('cap', 200, { originalPrice: 400, sizes: ['M'], colors: ['Blue'] }),
  product('odd', 300, { originalPrice: 300, sizes: ['__proto__'] }),
];
const facets = facetsOf(products, (each) => products.indexOf(each));
const ids = (query: string, within?: ReadonlySet<number>) =>
  refine(facets, new URLSearchParams(query), within).map((row) => products[row]?.id);

test.each([
  ['', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['sort=nonsense', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['sort=price-asc', ['cap', 'odd', 'tee', 'mango', 'free']],
  ['sort=price-desc', ['mango', 'tee', 'odd', 'cap', 'free']],
  ['sort=newest', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['sort=discount', ['cap', 'mango', 'tee', 'free', 'odd']],
  ['min=300&max=500', ['tee', 'odd']],
  ['max=499.49', ['cap', 'odd']],
  ['min=abc&max=-1', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['size=M', ['tee', 'cap']],
  ['size=S&size=M&color=Blue', ['cap']],
  ['size=XXL', []],
  ['size=__proto__', ['odd']],
  ['size=constructor', []],
  ['sale=true&sort=price-desc', ['mango', 'cap']],
])('%s', (query, expected) => {
  expect(ids(query)).toEqual(expected);
});

test('another filter leaves only its places', () => {
  expect(ids('sort=price-asc', new Set([0, 1]))).toEqual(['tee', 'mango']);
});

test('a table survives its way through a file', () => {
  expect(JSON.parse(JSON.stringify(facets))).toEqual(facets);
});

test('sizes stand in the order in which people look for them', () => {
  const sizes = ['One Size', 'UK 10', 'M', '30', 'XL', 'UK 9', 'S', 'XXL', '28'];
  expect(sizes.sort(compareSizes)).toEqual(['S', 'M', 'XL', 'XXL', '28', '30', 'UK 9', 'UK 10', 'One Size']);
});
