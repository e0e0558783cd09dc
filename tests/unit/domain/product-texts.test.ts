import { expect, test } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import type { Product } from '#domain/product.ts';
import { keyFacts, productTexts, unitPrices } from '#domain/product-texts.ts';
import { relatedBy } from '#domain/related.ts';
import { aProduct } from '#tests/support/samples.ts';

test('returns the texts of a product’s page', () => {
  const attributes = [
    { key: 'Net weight', values: ['1.5'], unit: 'kg' },
    { key: 'Origin', values: ['Ratnagiri'] },
  ];
  const { name, category, description } = aProduct();
  expect(productTexts(aProduct({ id: 'be90d3f6-1', price: 899, attributes }))).toEqual({
    name,
    category,
    id: 'be90d3f6',
    description,
    note: `${formatRupees(599.33)}/kg · Inclusive of all taxes`,
    facts: 'Net weight 1.5 kg · Origin Ratnagiri',
    limits: '',
  });
});

test('a line without data is empty', () => {
  expect(productTexts(aProduct({ price: 0, attributes: [] }))).toMatchObject({ note: '', facts: '' });
});

const attribute = (key: string, value: string, unit?: string) => ({
  key,
  values: [value],
  ...(unit ? { unit } : {}),
});
const of = (price: number, ...attributes: ReturnType<typeof attribute>[]) =>
  unitPrices({ price, attributes });

test.each([
  [
    of(899, attribute('Net weight', '1.5', 'kg'), attribute('Pieces', '6')),
    [`${formatRupees(599.33)}/kg`, `${formatRupees(149.83)}/piece`],
  ],
  [of(249, attribute(' net WEIGHT ', '200', 'g')), [`${formatRupees(124.5)}/100 g`]],
  [of(149, attribute('Net weight', '500', 'g')), [`${formatRupees(298)}/kg`]],
  [of(129, attribute('Net quantity', '1 kg'), attribute('Pieces', '6–7')), [`${formatRupees(129)}/kg`]],
  [of(90, attribute('Net volume', '250', 'ml')), [`${formatRupees(36)}/100 ml`]],
  [of(499, attribute('Net quantity', '2', 'pieces')), [`${formatRupees(249.5)}/piece`]],
  [of(499, attribute('Net quantity', '1', 'piece')), []],
  [of(100, attribute('Pieces', '1.5')), []],
  [of(100, attribute('Weight', '450', 'g')), []],
  [of(100, attribute('Net weight', '0', 'kg')), []],
  [of(100, attribute('Net weight', 'heavy', 'kg')), []],
  [of(100, attribute('Net weight', '5', 'constructor')), []],
  [of(0, attribute('Net weight', '1', 'kg')), []],
])('%#: %s', (found, expected) => expect(found).toEqual(expected));

test('returns the key facts of a product', () => {
  expect(
    keyFacts([
      attribute('Country of origin', 'India'),
      attribute('Best before', '24', 'months'),
      attribute('Net quantity', '100', 'g'),
      attribute('Care', 'Wash'),
    ]),
  ).toEqual(['Net quantity 100 g', 'Country of origin India', 'Best before 24 months']);
  expect(keyFacts([attribute('Origin', 'Nashik'), attribute('Country of origin', 'India')])).toEqual([
    'Origin Nashik',
  ]);
  expect(keyFacts([attribute('Origin', 'x'.repeat(100))])).toEqual([]);
});

const product = (id: string, category: string, parentCategory = 'Fruit'): Product =>
  aProduct({ id, category, parentCategory });

const ids = (products: readonly Product[]) => {
  const related = relatedBy(products);
  return Object.fromEntries(products.map((each) => [each.id, related(each).map(({ id }) => id)]));
};

test('related products are the next ones of the category, wrapping around, without the product', () => {
  const berries = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => product(id, id < 'c' ? 'berries' : 'Berries'));
  const found = ids([...berries, product('x', 'Melons', 'Other')]);
  expect(found).toMatchObject({ a: ['b', 'c', 'd', 'e'], f: ['a', 'b', 'c', 'd'], x: [] });
  for (const id of ['a', 'f']) {
    expect(Object.values(found).filter((shown) => shown.includes(id))).toHaveLength(4);
  }
});

test('the only product of its category uses the parent category', () => {
  expect(ids([product('a', 'A'), product('b', 'B'), product('c', 'B')])).toEqual({
    a: ['b', 'c'],
    b: ['c'],
    c: ['b'],
  });
});
