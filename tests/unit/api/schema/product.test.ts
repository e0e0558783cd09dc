import * as v from 'valibot';
import { expect, it } from 'vitest';
import { keepValidInSlices } from '#api/schema/lenient.ts';
import { LenientProductSchema, ProductPageSchema, SingleProductSchema } from '#api/schema/product.ts';
import { shownCategory } from '#domain/page-bytes.ts';
import { productDto } from '#tests/support/product-dtos.ts';

const SECOND = 'https://api.example/mango-2.webp';

const dto = (change: Record<string, unknown> = {}) =>
  productDto({ regularPrice: 1099, discountedPrice: 899, images: [{ url: SECOND }], ...change });

const parse = (change: Record<string, unknown>) => v.parse(LenientProductSchema, dto(change));

it('[spec 3.product.1] [spec 3.product.10] a product of the API is mapped to the shop’s product', () => {
  expect(parse({ attributes: [{ key: 'Size', values: ['6 pieces'] }] })).toMatchObject({
    id: 'new-1',
    name: 'Test Mango',
    category: 'Test Fruits',
    parentCategory: 'Tests',
    description: 'Sweet.',
    price: 899,
    originalPrice: 1099,
    sizes: ['6 pieces'],
  });
});

it.each([
  [{ discountedPrice: null }, 1099, undefined],
  [{ discountedPrice: undefined }, 1099, undefined],
  [{ discountedPrice: 0 }, 1099, undefined],
  [{ discountedPrice: 1200 }, 1200, 1099],
  [{ regularPrice: undefined }, 899, undefined],
  [{ regularPrice: null, discountedPrice: null }, 0, undefined],
])(
  '[spec 3.product.2] [spec 3.product.3] [spec 3.product.4] %j costs %s, before %s',
  (change, price, originalPrice) => {
    const product = parse(change);
    expect([product.price, product.originalPrice]).toEqual([price, originalPrice]);
  },
);

it.each([-1, '12.5', 1e20, Number.NaN])('a price of %j drops the product', (price) => {
  expect(v.is(LenientProductSchema, dto({ regularPrice: price }))).toBe(false);
  expect(v.is(LenientProductSchema, dto({ discountedPrice: price }))).toBe(false);
});

it('[spec 3.product.5] a product of the API uses imgUrl, else the first image, else none', () => {
  expect(parse({}).image).toBe(dto().imgUrl);
  expect(parse({ imgUrl: undefined }).image).toBe(SECOND);
  expect(parse({ imgUrl: null, images: [] }).image).toBe('');
});

it('a category is trimmed to one line', () => {
  const { category, parentCategory } = parse({ category: 'Berries\n', parentCategory: ' Dry\t Fruit ' });
  expect([category, parentCategory]).toEqual(['Berries', 'Dry Fruit']);
});

it.each(['x'.repeat(500), 'आ'.repeat(500), 'a&b/100% 🍊 '.repeat(40).trim()])(
  'the category %s is stored whole for requests, and shown in part',
  (category) => {
    const product = parse({ category });
    expect(product.category).toBe(category);
    expect(category.startsWith(shownCategory(category))).toBe(true);
    expect(shownCategory(category).length).toBeLessThanOrEqual(300);
  },
);

it('[spec 3.product.9] a product of the API reads an attribute as {key, value} or {key, values}, with a list, text, number or boolean', () => {
  const attributes = [
    { key: 'Origin', value: 'Ratnagiri' },
    { id: 7, key: 'Net weight', values: [1.5], metricUnit: 'kg' },
    { key: 'size', value: ['UK 9', 8.5] },
    { key: 'featured', value: true },
    'junk',
  ];
  const product = parse({ attributes });
  expect(product.attributes).toEqual([
    { key: 'Origin', values: ['Ratnagiri'] },
    { key: 'Net weight', values: ['1.5'], unit: 'kg' },
    { key: 'size', values: ['UK 9', '8.5'] },
    { key: 'featured', values: ['true'] },
  ]);
  expect([product.sizes, product.featured]).toEqual([['UK 9', '8.5'], true]);
});

it('attributes with names such as __proto__ are ordinary attributes', () => {
  const product = v.parse(
    LenientProductSchema,
    JSON.parse(`{"id":"a","title":"A","__proto__":{"polluted":1,"price":7},"attributes":[
        {"key":"__proto__","value":"x","__proto__":{"polluted":1}},
        {"key":"constructor","values":["y"],"constructor":{"prototype":{"polluted":1}}},
        {"key":"prototype","value":["z"]},
        {"__proto__":{"key":"size","value":"XL"}},
        {"key":"Origin","value":"Ratnagiri"}]}`),
  );
  expect(product.attributes).toEqual([
    { key: '__proto__', values: ['x'] },
    { key: 'constructor', values: ['y'] },
    { key: 'prototype', values: ['z'] },
    { key: 'Origin', values: ['Ratnagiri'] },
  ]);
  expect([product.price, product.sizes]).toEqual([0, []]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it('[spec 3.product.12] a product of the API comes bare or wrapped in data', () => {
  expect(v.parse(SingleProductSchema, { data: dto() })).toEqual(v.parse(SingleProductSchema, dto()));
});

it('unknown fields are ignored', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index]));
  expect(parse(many)).toEqual(parse({}));
});

it.each([
  [{ pagination: { total: 43 }, count: 9 }, 43],
  [{ count: 9 }, 9],
  [{ pagination: { total: 'x' }, count: 9 }, 9],
  [{}, 1],
])('[spec 3.list.1] a page of products %j means %d products', async (totals, total) => {
  expect((await v.parseAsync(ProductPageSchema, { data: [dto()], ...totals })).total).toBe(total);
});

it('a long page is parsed with pauses, so that taps are handled', async () => {
  const slow = v.pipe(
    v.number(),
    v.transform((value) => {
      const until = performance.now() + 6;
      while (performance.now() < until);
      return value;
    }),
  );
  const order: string[] = [];
  setTimeout(() => order.push('tap'));
  const { valid, dropped } = await keepValidInSlices(slow, [1, 2, '3', 4, 5]);
  order.push('list');
  expect(valid).toEqual([1, 2, 4, 5]);
  expect(dropped.map(({ index }) => index)).toEqual([2]);
  expect(order).toEqual(['tap', 'list']);
});
