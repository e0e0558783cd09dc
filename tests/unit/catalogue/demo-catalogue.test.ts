import { expect, test } from 'vitest';
import { readCatalogue } from '#server/catalogue/folder/read.ts';

const FOLDER = 'scripts/demo';
const { products, storeInfo } = readCatalogue(FOLDER);

const gendersOf = ({ attributes }: (typeof products)[number]): string[] =>
  attributes.filter(({ key }) => key.toLowerCase() === 'gender').flatMap(({ values }) => values);
const countOf = (gender: string): number =>
  products.filter((product) => gendersOf(product).includes(gender)).length;

test('[spec 7.products.10] men, women and accessories each have products', () => {
  const accessories = ['Accessories', 'Personal Care', 'Home'];
  expect(countOf('Men')).toBeGreaterThanOrEqual(6);
  expect(countOf('Women')).toBeGreaterThanOrEqual(6);
  const unisex = products.filter(
    (product) =>
      [product.category, product.parentCategory].some((name) => accessories.includes(name)) &&
      gendersOf(product).every((gender) => gender === 'Unisex'),
  );
  expect(unisex.length).toBeGreaterThanOrEqual(12);
});

test('every store category has products and a picture, and every product has a store category', () => {
  expect(new Set(products.map(({ category }) => category))).toEqual(new Set(storeInfo.categories));
  expect(Object.keys(storeInfo.categoryImages)).toEqual(storeInfo.categories);
});
