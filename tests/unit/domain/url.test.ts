import { expect, test } from 'vitest';
import { encodePart, parseUrl } from '#domain/url.ts';
import { paths } from '#paths.ts';

test.each(['a&b/100% 🍊', 'ä ?#', '‮x', '__proto__'])('%j survives the way through an address', (text) => {
  expect(new URL(`https://shop.example/?q=${encodePart(text)}`).searchParams.get('q')).toBe(text);
});

test.each(['\ud83c', 'mango \udf4a', '\ud83c\ud83c\udf4a'])(
  '[fault 14] half a character in %j breaks no address',
  (text) => {
    for (const path of [
      paths.category(text),
      paths.product(text),
      paths.payment(text),
      paths.searchFor(text),
    ])
      expect(parseUrl(path, 'https://shop.example')?.origin).toBe('https://shop.example');
  },
);

test('half a character is left out, a whole one stays', () => {
  expect(encodePart('a\ud83cb🍊')).toBe('ab%F0%9F%8D%8A');
});

test('what is no address is nothing', () => {
  expect(parseUrl('http://[')).toBeUndefined();
  expect(parseUrl('/x')).toBeUndefined();
  expect(parseUrl('/x', 'https://shop.example')?.href).toBe('https://shop.example/x');
});
