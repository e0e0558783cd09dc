import { expect, it, test } from 'vitest';
import { attributeLine, colorsOf, isFeatured, sizesOf, specifications } from '#domain/attributes.ts';
import { diffCatalogues } from '#domain/catalogue-diff.ts';
import {
  type Attribute,
  addsAtOnce,
  discountPercent,
  isOnSale,
  onlyOption,
  shortId,
  sizeHeading,
} from '#domain/product.ts';

const attribute = (key: string, ...values: string[]): Attribute => ({ key, values });

it.each(['size', 'Sizes', ' SIZE '])('[spec 3.product.7] [spec 3.product.11] sizes come from %s', (key) => {
  expect(sizesOf([attribute(key, 'S', 'M'), attribute('origin', 'Nashik')])).toEqual(['S', 'M']);
});

it.each(['color', 'Colour', 'COLORS'])('[spec 3.product.8] colours come from %s', (key) => {
  expect(colorsOf([attribute(key, 'Red')])).toEqual(['Red']);
});

it('[spec 3.product.6] an attribute featured that contains true marks the product', () => {
  expect(isFeatured([attribute('Featured', 'is true')])).toBe(true);
  expect(isFeatured([attribute('featured', 'false')])).toBe(false);
  expect(isFeatured([attribute('origin', 'true')])).toBe(false);
});

it('[spec 2.product.4] specifications hide keys with phone, in any case', () => {
  const rows = specifications([
    attribute('Support Phone', '1'),
    attribute('telephone', '2'),
    attribute('Origin', 'Nashik'),
  ]);
  expect(rows).toEqual([{ name: 'Origin', value: 'Nashik' }]);
});

it('a key such as __proto__ is an ordinary row', () => {
  const rows = specifications(
    ['constructor', 'toString', '__proto__', 'prototype', 'origin'].map((key) => attribute(key, 'x')),
  );
  expect(rows.map(({ name }) => name.trim())).toEqual([
    'Constructor',
    'To string',
    'proto',
    'Prototype',
    'Origin',
  ]);
});

it('specifications label rows readably, and put sizes and colours last', () => {
  const rows = specifications([
    attribute('size', 'S', 'M'),
    attribute('featured', 'true'),
    attribute('colour', 'Indigo'),
    attribute('net_weight', '1 kg'),
    attribute('countryOfOrigin', 'India'),
    attribute('pH', '5'),
    attribute('Care', ' '),
  ]);
  expect(rows).toEqual([
    { name: 'Net weight', value: '1 kg' },
    { name: 'Country of origin', value: 'India' },
    { name: 'pH', value: '5' },
    { name: 'Sizes', value: 'S, M' },
    { name: 'Colours', value: 'Indigo' },
  ]);
});

it('[spec 2.product.5] [spec 2.product.3] specifications show ten at most, with the unit after the value', () => {
  const many = Array.from({ length: 14 }, (_, index) => attribute(`key ${index}`, 'value'));
  const rows = specifications([{ key: 'Net weight', values: ['1.5'], unit: 'kg' }, ...many]);
  expect(rows).toHaveLength(10);
  expect(rows[0]).toEqual({ name: 'Net weight', value: '1.5 kg' });
});

it.each([
  ['Footwear', '', ['UK 6'], 'Shoe Size'],
  ['Fashion', 'Running shoes for men', ['8'], 'Shoe Size'],
  ['Fashion', 'A cap', ['One Size'], 'Size'],
  ['Fashion', 'A kurta', ['S', 'M'], 'Clothing Size'],
])(
  '[spec 2.product.10] [spec 2.product.11] [spec 2.product.12] a %s described as "%s" in %j is headed %s',
  (category, description, sizes, heading) => {
    expect(sizeHeading({ category, description, sizes })).toBe(heading);
  },
);

it('preselects a size only if there is exactly one', () => {
  expect([onlyOption([]), onlyOption(['One Size']), onlyOption(['S', 'M'])]).toEqual(['', 'One Size', '']);
});

it('adds at once with at most one size and colour', () => {
  const plain = { sizes: [], colors: [] };
  expect(addsAtOnce(plain)).toBe(true);
  expect(addsAtOnce({ ...plain, sizes: ['One Size'], colors: ['Red'] })).toBe(true);
  expect(addsAtOnce({ ...plain, colors: ['Red', 'Blue'] })).toBe(false);
});

it('[spec 2.product.2] shows the first 8 characters of the id', () => {
  expect(shortId('7f3e21ab-9c4d')).toBe('7f3e21ab');
});

it('[spec 2.card.4] a sale is shown only below the original price', () => {
  expect(isOnSale({ price: 90, originalPrice: 100 })).toBe(true);
  expect(isOnSale({ price: 100, originalPrice: 100 })).toBe(false);
  expect(isOnSale({ price: 120, originalPrice: 100 })).toBe(false);
  expect(isOnSale({ price: 90 })).toBe(false);
});

it('never overstates the saving', () => {
  expect(discountPercent({ price: 899, originalPrice: 1099 })).toBe(18);
  expect(discountPercent({ price: 99.99, originalPrice: 100 })).toBe(0);
  expect(discountPercent({ price: 200, originalPrice: 250 })).toBe(20);
});

it('thousands of long values are limited', () => {
  const long = Array.from({ length: 5_000 }, (_, index) => attribute('size', `${index}`.padEnd(500, 'x')));
  const sizes = sizesOf(long);
  expect(sizes).toHaveLength(8);
  expect(sizes.every((size) => size.length === 200)).toBe(true);
  expect(sizesOf(long.map(({ values }) => attribute('size', values[0]?.slice(0, 8) ?? '')))).toHaveLength(60);
  const rows = specifications([attribute('Origin', ...sizes, ...sizes), ...long]);
  expect(rows).toHaveLength(10);
  expect(rows.every(({ value }) => value.length <= 500)).toBe(true);
});

const attributes = [
  attribute('Storage', ' '),
  attribute('shelf life', '5', '6'),
  { ...attribute('Serve at', '12'), unit: '°C' },
];

it('the line of an attribute has its key, its values and its unit', () => {
  expect(attributeLine(attributes, ['serve at'])).toBe('Serve at 12 °C');
  expect(attributeLine(attributes, ['best before', 'shelf life'])).toBe('Shelf life 5, 6');
});

it('the line of an attribute is empty when there is no value', () => {
  expect(attributeLine(attributes, ['storage'])).toBe('');
  expect(attributeLine(attributes, ['origin'])).toBe('');
});

it('the line of an attribute is limited in length', () => {
  const long = attribute('क'.repeat(400), ...Array.from({ length: 200 }, () => 'ठंडी जगह पर रखें '.repeat(30)));
  expect(new Blob([attributeLine([long], [long.key])]).size).toBeLessThan(1_000);
});

const mango = { id: 'm', name: 'Mango', category: 'Fruit', price: 99, sizes: [], colors: [] };
const kurta = {
  id: 'k',
  name: 'Kurta',
  category: 'Wear',
  price: 999,
  originalPrice: 1299,
  sizes: ['M'],
  colors: [],
};
const nothing = { repriced: 0, changed: 0, added: 0, removed: 0 };

test('an unchanged catalogue has no differences in any order', () => {
  expect(diffCatalogues([mango, kurta], [kurta, { ...mango }])).toEqual(nothing);
});

test.each([
  ['another price', { ...kurta, price: 899 }, { repriced: 1 }],
  ['another regular price', { ...kurta, originalPrice: 1199 }, { repriced: 1 }],
  ['another name', { ...kurta, name: 'Khadi Kurta' }, { changed: 1 }],
  ['another size', { ...kurta, sizes: ['M', 'L'] }, { changed: 1 }],
  ['another price and name', { ...kurta, name: 'Khadi Kurta', price: 1 }, { repriced: 1, changed: 1 }],
])('detects %s', (_, now, expected) => {
  expect(diffCatalogues([mango, kurta], [mango, now])).toEqual({ ...nothing, ...expected });
});

test('detects an added and a removed product although the number is the same', () => {
  expect(diffCatalogues([mango, kurta], [mango, { ...kurta, id: 'new' }])).toEqual({
    ...nothing,
    added: 1,
    removed: 1,
  });
});
