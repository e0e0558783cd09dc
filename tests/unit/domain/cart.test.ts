import { expect, it } from 'vitest';
import {
  addLine,
  type Cart,
  type CartLine,
  decodeCart,
  itemCount,
  lineKey,
  productQuantities,
  toLine,
} from '#domain/cart.ts';
import { putBack, removeProduct, setQuantity, subtractLines } from '#domain/cart-edits.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { cartLine } from '#tests/support/samples.ts';

const line = (change: Partial<CartLine> = {}): CartLine =>
  cartLine({
    name: 'Alphonso Mango',
    image: 'https://api.example/mango.webp',
    price: 899,
    ...change,
  });

it('[spec 3.cartline.1, 3.cartline.3] a line holds the product, the choice, and the image as the server gave it', () => {
  const product = {
    id: 'mango',
    name: 'Alphonso Mango',
    price: 899,
    image: 'https://api.example/images/mango.webp?v=2',
    category: 'Mangoes',
    sizes: ['M'],
    colors: [],
  };
  expect(toLine(product, { size: 'M', color: '', quantity: 2 })).toEqual({
    id: 'mango',
    name: 'Alphonso Mango',
    image: 'https://api.example/images/mango.webp?v=2',
    price: 899,
    quantity: 2,
    selectedSize: 'M',
    selectedColor: '',
  });
});

it('[spec 4.cart.1] [spec 3.cartline.2] adds the quantity to the line of the same id, size and colour', () => {
  const cart = addLine([line({ selectedSize: 'M', quantity: 2 })], line({ selectedSize: 'M', quantity: 3 }));
  expect(cart.map(({ quantity }) => quantity)).toEqual([5]);
});

it('[spec 4.cart.2] appends a line that differs in id, size or colour', () => {
  const others = [line({ id: 'kiwi' }), line({ selectedSize: 'M' }), line({ selectedColor: 'Red' })];
  expect(others.reduce<Cart>(addLine, [line()])).toHaveLength(4);
});

it('adding takes the current name and price', () => {
  expect(addLine([line({ price: 999 })], line({ price: 899 }))[0]?.price).toBe(899);
});

it('Undo of an addition removes the added quantities and leaves the rest', () => {
  const before = [line({ quantity: 2 }), line({ id: 'kiwi' })];
  const came = [line({ quantity: 1 }), line({ quantity: 2 }), line({ selectedSize: 'M' })];
  expect(subtractLines(came.reduce<Cart>(addLine, before), came)).toEqual(before);
  expect(subtractLines(came.reduce<Cart>(addLine, []), came)).toEqual([]);
});

const [fig, kiwi, pear] = ['fig', 'kiwi', 'pear'].map((id) => line({ id, quantity: 2 }));
if (!fig || !kiwi || !pear) throw new Error('There are three.');

it.each([
  ['all lines of an emptied cart as they were', [], [fig, kiwi, pear], undefined, [fig, kiwi, pear]],
  ['a line in its old place', [fig, pear], [kiwi], [fig, kiwi, pear], [fig, kiwi, pear]],
  ['lines before those that came since', [pear], [fig, kiwi], undefined, [fig, kiwi, pear]],
  ['a line to its like that came since', [kiwi], [kiwi], undefined, [{ ...kiwi, quantity: 4 }]],
])('Undo of a removal brings %s', (_what, cart, lines, before, result) => {
  expect(putBack(cart, lines, before)).toEqual(result);
});

const cart = [line({ selectedSize: 'S' }), line({ selectedSize: 'M' }), line({ id: 'kiwi' })];

it('[spec 4.cart.3] removes every line of a product', () => {
  expect(removeProduct(cart, 'mango').map(({ id }) => id)).toEqual(['kiwi']);
});

it('[spec 4.cart.12] sets the quantity of one line, not of the product', () => {
  const changed = setQuantity(cart, lineKey(line({ selectedSize: 'M' })), 7);
  expect(changed.map(({ quantity }) => quantity)).toEqual([1, 7, 1]);
});

it.each([0, -1, 0.5, Number.NaN])('[spec 4.cart.4] ignores a quantity of %d', (quantity) => {
  expect(setQuantity(cart, lineKey(line({ selectedSize: 'S' })), quantity)).toBe(cart);
});

it('[spec 4.cart.9] the item count is the sum of quantities', () => {
  expect(itemCount([line({ quantity: 3 }), line({ id: 'kiwi', quantity: 2 })])).toBe(5);
});

it('[spec 3.order.6] two sizes of one product are ordered as one quantity', () => {
  expect(
    productQuantities([line({ selectedSize: 'S', quantity: 2 }), line({ selectedSize: 'M', quantity: 3 })]),
  ).toEqual({
    mango: 5,
  });
});

it('a product with the id __proto__ is an ordinary product', () => {
  expect(Object.keys(productQuantities([line({ id: '__proto__' })]))).toEqual(['__proto__']);
});

it('[spec 4.cart.7] restores a stored cart', () => {
  const cart = [line(), line({ id: 'kiwi', quantity: 4, selectedSize: 'M', selectedColor: 'Red' })];
  expect(decodeCart(JSON.stringify(cart)).lines).toEqual(cart);
});

it.each([null, undefined, '', 'null', '{}', '42', '{"lines":[]}', '[null]', '[[]]', '{"a":', '[{"id":1}]'])(
  '%s is an empty cart',
  (stored) => expect(decodeCart(stored)).toEqual({ lines: [], readOnly: false }),
);

it.each([7, null, {}, [], true, ''])('a line whose id is %j is dropped', (id) => {
  const stored = JSON.stringify([{ id, name: 'x', price: 1, quantity: 1 }]);
  expect(decodeCart(stored).lines).toEqual([]);
});

it.each([
  [
    'in one element',
    JSON.stringify([null, line(), { id: 'x' }, 7, 'x'.repeat(6_000_000), line({ id: 'kiwi' })]),
    ['mango', 'kiwi'],
  ],
  [
    'in a million elements',
    `[${JSON.stringify(line())}${',null'.repeat(1_200_000)},${JSON.stringify(line({ id: 'kiwi' }))}]`,
    ['mango', 'kiwi'],
  ],
])('6 MB of junk %s: the valid lines remain', (_, stored, ids) => {
  expect(stored.length).toBeGreaterThanOrEqual(6_000_000);
  expect(decodeCart(stored).lines.map(({ id }) => id)).toEqual(ids);
});

it.each([
  ['1.5', 1],
  ['"3"', 3],
  ['12345', 9_999],
  ['1e309', 9_999],
])('a quantity of %s becomes %d', (quantity, expected) => {
  expect(decodeCart(`[{"id":"a","price":1,"quantity":${quantity}}]`).lines[0]?.quantity).toBe(expected);
});

it.each(['-1', '0', 'null', '"x"', '[]'])('a quantity of %s drops the line', (quantity) => {
  expect(decodeCart(`[{"id":"a","price":1,"quantity":${quantity}}]`).lines).toEqual([]);
});

it.each(['1e309', '-1e309', '-1', '"x"', '"5"', 'null', '{}', '[]', 'true', '1e300'])(
  'a price of %s counts as 0 and does not affect other lines',
  (price) => {
    const good = line({ price: 99.5, quantity: 2 });
    const { lines } = decodeCart(`[{"id":"a","quantity":3,"price":${price}},${JSON.stringify(good)}]`);
    expect(lines).toEqual([line({ id: 'a', name: '', image: '', price: 0, quantity: 3 }), good]);
    expect(amountsOf(lines).total).toBe(19_900);
  },
);

it('a stored cart may have an older format without size and colour', () => {
  const { lines } = decodeCart('[{"id":"a","name":"A","price":5,"quantity":2}]');
  expect(lines).toEqual([line({ id: 'a', name: 'A', image: '', price: 5, quantity: 2 })]);
});

it('a newer format is shown read-only', () => {
  const stored = JSON.stringify({ version: 2, lines: [line()] });
  expect(decodeCart(stored)).toEqual({ lines: [line()], readOnly: true });
});
