import { expect, test } from 'vitest';
import { diffCatalogues } from '#domain/catalogue-diff.ts';

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

test('an unchanged catalogue is the same in any order', () => {
  expect(diffCatalogues([mango, kurta], [kurta, { ...mango }])).toEqual(nothing);
});

test.each([
  ['another price', { ...kurta, price: 899 }, { repriced: 1 }],
  ['another regular price', { ...kurta, originalPrice: 1199 }, { repriced: 1 }],
  ['another name', { ...kurta, name: 'Khadi Kurta' }, { changed: 1 }],
  ['another size', { ...kurta, sizes: ['M', 'L'] }, { changed: 1 }],
  ['another price and name', { ...kurta, name: 'Khadi Kurta', price: 1 }, { repriced: 1, changed: 1 }],
])('%s is told', (_, now, expected) => {
  expect(diffCatalogues([mango, kurta], [mango, now])).toEqual({ ...nothing, ...expected });
});

test('one that came and one that went are told, though there are as many', () => {
  expect(diffCatalogues([mango, kurta], [mango, { ...kurta, id: 'new' }])).toEqual({
    ...nothing,
    added: 1,
    removed: 1,
  });
});
