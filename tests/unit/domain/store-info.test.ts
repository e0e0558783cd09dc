import * as v from 'valibot';
import { expect, it } from 'vitest';
import { CapabilitiesSchema } from '#api/schema/capabilities.ts';
import { chosenCapabilities } from '#domain/capabilities.ts';
import {
  categoryImage,
  displayName,
  FALLBACK_CATEGORIES,
  headerCategories,
  homeCategories,
} from '#domain/store-info.ts';

it('the store is called by the store name, else the company name, else Fresh Fruits', () => {
  expect(displayName({ storeName: 'Stall', companyName: 'Company' })).toBe('Stall');
  expect(displayName({ storeName: '', companyName: 'Company' })).toBe('Company');
  expect(displayName({ storeName: '', companyName: '' })).toBe('Fresh Fruits');
});

it('[spec 3.store.2] shows three home categories, or the defaults', () => {
  expect(homeCategories({ categories: [] })).toEqual(['Tropical Fruits', 'Citrus Fruits', 'Berries']);
  expect(homeCategories({ categories: ['A', 'B', 'C', 'D'] })).toEqual(['A', 'B', 'C']);
});

it('[spec 3.store.3, 2.header.3, 2.header.4] links three menu categories, or the defaults', () => {
  expect(headerCategories({ categories: [] })).toEqual(['men', 'women', 'accessories']);
  expect(headerCategories({ categories: ['A', 'B', 'C', 'D'] })).toEqual(['A', 'B', 'C']);
});

it('[spec 3.store.4] without a record the categories are Accessories', () => {
  expect(headerCategories({ categories: FALLBACK_CATEGORIES })).toEqual(['Accessories']);
});

it('[spec 3.store.5] a category without an image shows the default image, or none', () => {
  const categoryImages = new Map([
    ['Berries', 'berries.webp'],
    ['Melons', ''],
    ['default', 'fruit.webp'],
  ]);
  expect(categoryImage({ categoryImages }, 'Berries')).toBe('berries.webp');
  expect(categoryImage({ categoryImages }, 'Melons')).toBe('fruit.webp');
  expect(categoryImage({ categoryImages }, 'Citrus')).toBe('fruit.webp');
  expect(categoryImage({ categoryImages: new Map() }, 'Citrus')).toBe('');
});

it.each([
  ['[spec 3.offers.1] are empty in a response without a list', { storeName: 'Stall' }, []],
  ['[spec 3.offers.1] are known names', { capabilities: ['x', 7, 'orderLines', 'toString'] }, ['orderLines']],
  ['may come wrapped in data', { data: { capabilities: ['orderLines'] } }, ['orderLines']],
  ['is nothing where it is no list', { capabilities: 'orderLines' }, []],
  ['is read up to its hundredth name', { capabilities: [...Array(100).fill('x'), 'orderLines'] }, []],
])('capabilities of an API %s', (_title, answer, names) =>
  expect(v.parse(CapabilitiesSchema, answer)).toEqual(names),
);

it.each([
  ['[spec 3.offers.2] are the listed ones', ['orderLines'], {}, ['orderLines']],
  ['[spec 3.offers.2] heed no empty setting', ['orderLines'], { PUBLIC_ORDER_LINES: '' }, ['orderLines']],
  ['[spec 3.offers.2] are turned off by a setting', ['orderLines'], { PUBLIC_ORDER_LINES: 'false' }, []],
  ['[spec 3.offers.2] are turned on by one', [], { PUBLIC_IDEMPOTENCY_KEYS: 'true' }, ['idempotencyKeys']],
] as const)('the capabilities of a build %s', (_title, listed, env, names) =>
  expect(chosenCapabilities(listed, env)).toEqual(names),
);
