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
import { cartLine } from '#tests/support/samples.ts';

const line = (change: Partial<CartLine> = {}): CartLine => cartLine({ quantity: 2, ...change });

const sold = (price: number): Today => ({ status: 'sold', name: 'Mango', image: '', price });
const today = (...entries: [string, Today][]): TodayById => new Map(entries);

it('does not change lines whose product is unknown', () => {
  expect(checkCart([line()], today(), new Map())).toEqual([
    { line: line(), needsConsent: false, availability: 'sold' },
  ]);
});

it.each([
  ['cheaper', 99, { was: 120, needsConsent: false }],
  ['dearer', 130, { was: 120, needsConsent: true }],
])('%s: uses today’s price and shows the old one', (_, price, change) => {
  expect(checkCart([line()], today(['mango', sold(price)]), new Map())).toEqual([
    { line: line({ price }), availability: 'sold', ...change },
  ]);
});

it('shows the price from before the page was opened, even if the line was stored since', () => {
  const before = pricesOf([line()]);
  const settled = line({ price: 99 });
  expect(checkCart([settled], today(['mango', sold(99)]), before)).toMatchObject([
    { was: 120, needsConsent: false },
  ]);
});

it.each([{ status: 'discontinued' }, { status: 'unpriced' }] satisfies Today[])(
  '$status: marked, and cannot be ordered',
  (found) => {
    const checked = checkCart([line(), line({ id: 'kiwi' })], today(['mango', found]), new Map());
    expect(checked.map(({ availability }) => availability)).toEqual([found.status, 'sold']);
    expect(orderable(checked)).toEqual([line({ id: 'kiwi' })]);
  },
);

it.each([
  ['a fall', 99, false, 99],
  ['a rise before the yes', 130, false, 120],
  ['a rise after the yes', 130, true, 130],
])('the stored line after the check %s', (_, price, accepted, stored) => {
  expect(settleLine(line(), sold(price), accepted).price).toBe(stored);
});

it('the stored line after the check has the catalogue’s name and picture', () => {
  const found: Today = {
    status: 'sold',
    name: 'Alphonso',
    image: 'https://shop.example/a.webp',
    price: 120,
  };
  const settled = settleLine(line({ name: '<b>', image: 'javascript:1' }), found, false);
  expect(settled).toMatchObject({ name: 'Alphonso', image: 'https://shop.example/a.webp' });
  expect(settleLine(settled, found, false)).toBe(settled);
});

it('a discontinued line does not change', () => {
  expect(settleLine(line(), { status: 'discontinued' }, true)).toEqual(line());
});
