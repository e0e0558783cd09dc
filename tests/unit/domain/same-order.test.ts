import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CartLine } from '#domain/cart.ts';
import { isSameOrder, orderFingerprint, orderMeaning } from '#domain/same-order.ts';
import { EMPTY_ADDRESS, SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { anOrder, cartLine, MEERA } from '#tests/support/samples.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';

const line = (change: Partial<CartLine> = {}): CartLine =>
  cartLine({ quantity: 2, selectedSize: 'M', selectedColor: 'Red', ...change });

const known = orderFingerprint([line()], ADDRESS);

describe('the fingerprint of an order', () => {
  it.each<Partial<CartLine>>([{ id: 'kiwi' }, { quantity: 3 }, { selectedSize: 'L' }, { selectedColor: '' }])(
    'changes with the line: %j',
    (change) => {
      expect(orderFingerprint([line(change)], ADDRESS)).not.toBe(known);
    },
  );

  it.each(SHIPPING_FIELDS)('changes with the address: %s', (field) => {
    expect(orderFingerprint([line()], { ...ADDRESS, [field]: 'other' })).not.toBe(known);
  });

  it('is the same whatever the line costs or is called, and with blanks around the address', () => {
    const padded = { ...ADDRESS, city: ' Pune ' };
    expect(orderFingerprint([line({ price: 99, name: 'Kesar', image: 'x' })], padded)).toBe(known);
  });

  it('says nothing of the address and may stand in a header', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.string(), fc.string(), (city, phone) => {
        const print = orderFingerprint([line()], { ...ADDRESS, city: `Pune ${city}`, phone });
        seen.add(print);
        return /^[\da-z]{1,12}$/.test(print);
      }),
    );
    expect(seen.size).toBeGreaterThan(50);
  });
});

describe('finding an order whose answer was lost', () => {
  const mango = cartLine({ id: 'mango', name: 'Alphonso Mango', quantity: 1 });
  const strawberry = cartLine({ id: 'strawberry', name: 'Strawberries', quantity: 1 });
  const small = { ...strawberry, selectedSize: 'small' };
  const cart = [mango, strawberry, small];

  it('takes equal quantities and an equal address', () => {
    expect(isSameOrder(anOrder(), cart, { ...MEERA, city: ' Pune ' })).toBe(true);
  });

  it('knows the products by their names where the server numbers the items', () => {
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
  ])('refuses %s', (_, wanted, to) => {
    expect(isSameOrder(anOrder(), wanted, to)).toBe(false);
  });
});

it('the meaning of a request is that of its products in any order, its lines and its trimmed address', () => {
  const meaning = orderMeaning({ mango: 2, kiwi: 1 }, MEERA, undefined);
  expect(orderMeaning({ kiwi: 1, mango: 2 }, { ...MEERA, city: ' Pune ' }, null)).toBe(meaning);
  expect(orderMeaning({ kiwi: 1, mango: 3 }, MEERA, null)).not.toBe(meaning);
  expect(orderMeaning({ kiwi: 1, mango: 2 }, { ...MEERA, phone: '1' }, null)).not.toBe(meaning);
  expect(orderMeaning({ kiwi: 1, mango: 2 }, MEERA, [{ id: 'mango' }])).not.toBe(meaning);
  expect(orderMeaning({}, { ...EMPTY_ADDRESS, city: 'Pune' }, null), 'no blank fields').toBe(
    '[[],["Pune"],null]',
  );
});
