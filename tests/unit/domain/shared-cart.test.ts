import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CartLine, MAX_PRODUCTS } from '#domain/cart.ts';
import { decodeItems, encodeItems } from '#domain/shared-cart.ts';
import { cartLine } from '#tests/support/samples.ts';

const line = (change: Partial<CartLine>): CartLine =>
  cartLine({ image: 'https://x.example/m.webp', price: 99, ...change });

it('a shared cart has ids, quantities and choices in a readable form', () => {
  const cart = [line({ quantity: 2 }), line({ id: 'tee', selectedSize: 'M', selectedColor: 'Red' })];
  expect(encodeItems(cart)).toBe('mango:2,tee:1:M:Red');
});

it('a shared cart survives a round trip for any texts', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => value.isWellFormed());
  const lines = fc.array(
    fc.record({
      id: text.filter((id) => id !== ''),
      quantity: fc.integer({ min: 1, max: 9_999 }),
      selectedSize: text,
      selectedColor: text,
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(lines, (requested) => {
      expect(decodeItems(encodeItems(requested.map(line)))).toEqual({ requested, dropped: 0 });
    }),
  );
});

it('a shared cart drops lone surrogates, which cannot be encoded', () => {
  const requested = { id: 'kiwi', quantity: 1, selectedSize: 'S\ud83c', selectedColor: '' };
  expect(encodeItems([line(requested)])).toBe('kiwi:1:S');
});

it('a shared cart is limited to the products of one order', () => {
  const many = Array.from({ length: MAX_PRODUCTS + 5 }, (_, index) => `p${index}:1`).join(',');
  expect(decodeItems(many)).toMatchObject({ requested: { length: MAX_PRODUCTS }, dropped: 5 });
});

it.each([
  ['', 0, 0],
  [',,,', 0, 0],
  [':2', 0, 1],
  ['a:0', 0, 1],
  ['a:-3', 0, 1],
  ['a:NaN', 0, 1],
  ['a:1e3', 0, 1],
  ['a:1.7', 1, 0],
  ['a', 1, 0],
  ['%E0%A4%A:2,b:1', 1, 1],
  ['__proto__:1', 1, 0],
  ['<script>:1', 1, 0],
])('%j has %i valid and %i dropped items', (text, valid, dropped) => {
  const shared = decodeItems(text);
  expect(shared).toMatchObject({ requested: { length: valid }, dropped });
  for (const { quantity } of shared.requested) expect(quantity).toBeGreaterThanOrEqual(1);
  for (const { quantity } of shared.requested) expect(quantity).toBeLessThanOrEqual(9_999);
});

it('a shared cart is parsed quickly, however long it is', () => {
  expect(decodeItems('a:1,'.repeat(1_000_000)).requested).toHaveLength(MAX_PRODUCTS);
});
