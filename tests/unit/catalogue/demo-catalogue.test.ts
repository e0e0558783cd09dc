import { expect, test } from 'vitest';
import { readCatalogue } from '#server/catalogue/folder/read.ts';

const FOLDER = 'scripts/demo';
const { products, storeInfo } = readCatalogue(FOLDER);

test('every store category has products and a picture, and every product has a store category', () => {
  expect(new Set(products.map(({ category }) => category))).toEqual(new Set(storeInfo.categories));
  expect(Object.keys(storeInfo.categoryImages)).toEqual(storeInfo.categories);
});
