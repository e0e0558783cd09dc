// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import type { Card } from '#domain/card.ts';
import { decodeCards } from '#domain/stored-cards.ts';
import { $wishlist, toggleWish, WISHLIST_KEY } from '#stores/lists/wishlist.ts';

const card = (id: string): Card => ({
  id,
  name: `Product ${id}`,
  price: 10,
  image: 'https://api.example/a.webp',
  category: 'Berries',
  sizes: [],
  colors: [],
  tint: 'tint-3',
  picture: { src: '/_astro/img/a.avif', width: 1, height: 1 },
});

beforeEach(() => {
  localStorage.clear();
  $wishlist.set([]);
});

test('[spec 2.product.15] adds products, newest first, and removes them again', () => {
  expect(toggleWish(card('a'))).toBe(true);
  expect(toggleWish(card('b'))).toBe(true);
  expect($wishlist.get().map(({ id }) => id)).toEqual(['b', 'a']);
  const stored = decodeCards(localStorage.getItem(WISHLIST_KEY), 200);
  const { picture: _, ...withoutPicture } = card('b');
  expect(stored[0]).toEqual(withoutPicture);
  expect(toggleWish(card('b'))).toBe(false);
  expect($wishlist.get().map(({ id }) => id)).toEqual(['a']);
});

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
