import { expect, it } from 'vitest';
import type { CartLine } from '#domain/cart.ts';
import {
  checkCart,
  orderable,
  pricesOf,
  settleLine,
  type Today,
  type TodayById,
} from '#domain/price-check.ts';
import type { Product } from '#domain/product.ts';
import { aProduct, cartLine } from '#tests/support/samples.ts';

const line = (change: Partial<CartLine> = {}): CartLine => cartLine({ quantity: 2, ...change });

const sold = (price: number, change: Partial<Product> = {}): Today =>
  aProduct({ id: 'mango', name: 'Mango', price, ...change });
const today = (...entries: [string, Today][]): TodayById => new Map(entries);

it('does not change lines whose product is unknown', () => {
  expect(checkCart([line()], today(), new Map())).toEqual([
    { line: line(), needsConsent: false, isPriced: true },
  ]);
});

it.each([
  ['cheaper', 99, { was: 120, needsConsent: false }],
  ['dearer', 130, { was: 120, needsConsent: true }],
])('%s: uses today’s price and shows the old one', (_, price, change) => {
  expect(checkCart([line()], today(['mango', sold(price)]), new Map())).toEqual([
    { line: line({ price }), isPriced: true, ...change },
  ]);
});

it('shows the price from before the page was opened, even if the line was stored since', () => {
  const before = pricesOf([line()]);
  const settled = line({ price: 99 });
  expect(checkCart([settled], today(['mango', sold(99)]), before)).toMatchObject([
    { was: 120, needsConsent: false },
  ]);
});

it.each([['discontinued'], [sold(0)]] satisfies [Today][])('%j: marked, and cannot be ordered', (found) => {
  const checked = checkCart([line(), line({ id: 'kiwi' })], today(['mango', found]), new Map());
  expect(checked.map(({ isPriced }) => isPriced)).toEqual([false, true]);
  expect(orderable(checked)).toEqual([line({ id: 'kiwi' })]);
});

it.each([
  ['a fall', 99, false, 99],
  ['a rise before the yes', 130, false, 120],
  ['a rise after the yes', 130, true, 130],
])('the stored line after the check %s', (_, price, accepted, stored) => {
  expect(settleLine(line(), sold(price), accepted).price).toBe(stored);
});

it('the stored line after the check has the catalogue’s name and picture', () => {
  const found = sold(120, { name: 'Alphonso', image: 'https://shop.example/a.webp' });
  const settled = settleLine(line({ name: '<b>', image: 'javascript:1' }), found, false);
  expect(settled).toMatchObject({ name: 'Alphonso', image: 'https://shop.example/a.webp' });
  expect(settleLine(settled, found, false)).toBe(settled);
});

it('a discontinued line does not change', () => {
  expect(settleLine(line(), 'discontinued', true)).toEqual(line());
});
