import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CartLine } from '#domain/cart.ts';
import { isSameOrder, orderFingerprint, orderMeaning } from '#domain/same-order.ts';
import { ADDRESS_FIELD_NAMES, EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { anOrder, cartLine, MEERA } from '#tests/support/samples.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';

const line = (change: Partial<CartLine> = {}): CartLine =>
  cartLine({ quantity: 2, selectedSize: 'M', selectedColor: 'Red', ...change });

const known = orderFingerprint([line()], ADDRESS);

it.each<Partial<CartLine>>([{ id: 'kiwi' }, { quantity: 3 }, { selectedSize: 'L' }, { selectedColor: '' }])(
  'the fingerprint changes with the line: %j',
  (change) => expect(orderFingerprint([line(change)], ADDRESS)).not.toBe(known),
);

it.each(ADDRESS_FIELD_NAMES)('the fingerprint changes with the address: %s', (field) => {
  expect(orderFingerprint([line()], { ...ADDRESS, [field]: 'other' })).not.toBe(known);
});

it('the fingerprint ignores price, name and spaces around the address', () => {
  const padded = { ...ADDRESS, city: ' Pune ' };
  expect(orderFingerprint([line({ price: 99, name: 'Kesar', image: 'x' })], padded)).toBe(known);
});

it('the fingerprint does not reveal the address and fits into a header', () => {
  const prints = new Set<string>();
  fc.assert(
    fc.property(fc.string(), fc.string(), (city, phone) => {
      const print = orderFingerprint([line()], { ...ADDRESS, city: `Pune ${city}`, phone });
      prints.add(print);
      return /^[\da-z]{1,12}$/.test(print);
    }),
  );
  expect(prints.size).toBeGreaterThan(50);
});

const mango = cartLine({ id: 'mango', name: 'Alphonso Mango', quantity: 1 });
const strawberry = cartLine({ id: 'strawberry', name: 'Strawberries', quantity: 1 });
const small = { ...strawberry, selectedSize: 'small' };
const cart = [mango, strawberry, small];

it('an order whose response was lost has equal quantities and an equal address', () => {
  expect(isSameOrder(anOrder(), cart, { ...MEERA, city: ' Pune ' })).toBe(true);
});

it('matches products by name if the server has its own item ids', () => {
  const items = anOrder().items.map((item, index) => ({ ...item, id: String(index) }));
  expect(isSameOrder(anOrder({ items }), cart, MEERA)).toBe(true);
  expect(isSameOrder(anOrder({ items }), [mango, strawberry], MEERA)).toBe(false);
  const numbered = cart.map((line) => (line.id === 'mango' ? { ...line, id: '1' } : line));
  expect(isSameOrder(anOrder({ items }), numbered, MEERA)).toBe(true);
});

it.each([
  ['less', [mango], MEERA],
  ['another quantity', [{ ...mango, quantity: 2 }, strawberry, small], MEERA],
  ['more', [...cart, cartLine({ id: 'kiwi', name: 'Kiwi' })], MEERA],
  ['another address', cart, { ...MEERA, postalCode: '411002' }],
])('an order whose response was lost is not: %s', (_, wanted, to) =>
  expect(isSameOrder(anOrder(), wanted, to)).toBe(false),
);

it('orderMeaning covers products in any order, lines and the trimmed address', () => {
  const meaning = orderMeaning({ mango: 2, kiwi: 1 }, MEERA, undefined);
  expect(orderMeaning({ kiwi: 1, mango: 2 }, { ...MEERA, city: ' Pune ' }, null)).toBe(meaning);
  expect(orderMeaning({ kiwi: 1, mango: 3 }, MEERA, null)).not.toBe(meaning);
  expect(orderMeaning({ kiwi: 1, mango: 2 }, { ...MEERA, phone: '1' }, null)).not.toBe(meaning);
  expect(orderMeaning({ kiwi: 1, mango: 2 }, MEERA, [{ id: 'mango' }])).not.toBe(meaning);
  expect(orderMeaning({}, { ...EMPTY_ADDRESS, city: 'Pune' }, null), 'no blank fields').toBe(
    '[[],["Pune"],null]',
  );
});
