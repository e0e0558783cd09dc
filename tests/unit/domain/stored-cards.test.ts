import { expect, test } from 'vitest';
import { decodeCards } from '#domain/stored-cards.ts';

test.each(['null', '{}', '42', '{"', '[null]', '[{"id":1}]', '[{"id":"a"}]'])(
  '%s is an empty list',
  (stored) => expect(decodeCards(stored, 200)).toEqual([]),
);

test('replaces invalid values in a stored card', () => {
  const [odd] = decodeCards(
    JSON.stringify([{ id: 'a', name: 'A', price: -1, sizes: [1], tint: 'x y' }]),
    200,
  );
  expect(odd).toEqual({
    id: 'a',
    name: 'A',
    price: 0,
    image: '',
    category: '',
    sizes: [],
    colors: [],
    tint: 'tint-11',
  });
});
