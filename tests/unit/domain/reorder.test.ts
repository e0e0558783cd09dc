import { expect, it } from 'vitest';
import type { OrderItem } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { outcomeOfReorder, productOfItem, repricedOf } from '#domain/reorder.ts';
import { aProduct } from '#tests/support/samples.ts';

const item: OrderItem = { id: 'mango', name: 'Alphonso Mango', quantity: 3, price: 400 };
const NOW = Date.parse('2026-01-01');
const product = (change: Partial<Product> = {}): Product =>
  aProduct({ id: 'mango', name: 'Alphonso Mango', price: 450, category: 'Fruit', ...change });

it('the product of an ordered item is the one with its id and its name, in any case and spacing', () => {
  const found = product({ name: ' alphonso  mango ' });
  expect(productOfItem(item, found)).toBe(found);
});

it('the product of an ordered item is not another product that happens to have the item’s id', () => {
  expect(productOfItem(item, product({ name: 'Soap' }))).toBe('renamed');
});

it('the product of an ordered item is the only one of that name if no product has the id', () => {
  const other = product({ id: 'p-17' });
  expect(productOfItem(item, 'discontinued', [product({ name: 'Soap' }), other])).toBe(other);
  expect(productOfItem(item, product({ name: 'Soap' }), [other])).toBe(other);
});

it('the product of an ordered item is unknown if two have that name', () => {
  expect(productOfItem(item, 'discontinued', [product({ id: 'a' }), product({ id: 'b' })])).toBe(
    'discontinued',
  );
});

it('the product of an ordered item is unknown if the request failed', () => {
  expect(productOfItem(item, undefined, [product({ id: 'a' })])).toBeUndefined();
});

it('a reorder gives a line at today’s price', () => {
  expect(outcomeOfReorder(item, product(), NOW)).toMatchObject({
    line: { price: 450, quantity: 3 },
  });
});

it('a reorder uses the only size, and needs a choice if there are several', () => {
  expect(outcomeOfReorder(item, product({ sizes: ['One Size'] }), NOW)).toMatchObject({
    line: { selectedSize: 'One Size' },
  });
  expect(outcomeOfReorder(item, product({ sizes: ['M', 'L'] }), NOW)).toMatchObject({
    id: 'mango',
    reason: '“Alphonso Mango” needs a size or a colour.',
  });
  expect(outcomeOfReorder(item, product({ colors: ['Red', 'Blue'] }), NOW)).toHaveProperty('line');
});

it.each([
  ['discontinued', '“Alphonso Mango” is no longer sold.'],
  ['renamed', '“Alphonso Mango” is sold under another name now.'],
  [undefined, '“Alphonso Mango” could not be looked up.'],
  [product({ price: 0 }), '“Alphonso Mango” has no price at the moment.'],
  [product({ buying: { availability: 'sold_out' } }), '“Alphonso Mango” is sold out.'],
  [
    product({ buying: { availability: 'back_on', backOn: '2026-04-15' } }),
    '“Alphonso Mango” is sold out. It is back on 15 April 2026.',
  ],
] as const)('%j has a reason', (found, reason) => {
  expect(outcomeOfReorder(item, found, NOW)).toMatchObject({ reason });
});

it('a reorder of more than are left is a line: the cart says how many there are', () => {
  const few = product({ buying: { availability: 'few_left', left: 1 } });
  expect(outcomeOfReorder(item, few, NOW)).toMatchObject({ line: { quantity: 3 } });
});

it('a reorder lists the items whose price has changed', () => {
  const outcomes = [
    outcomeOfReorder(item, product(), NOW),
    outcomeOfReorder({ ...item, price: 450 }, product(), NOW),
  ];
  expect(repricedOf([item, { ...item, price: 450 }], outcomes)).toEqual([
    { name: 'Alphonso Mango', was: 400, now: 450 },
  ]);
});
