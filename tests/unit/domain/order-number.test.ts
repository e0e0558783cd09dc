import { expect, it } from 'vitest';
import { initialsOf, parseOrderNumber, shownNumber, withoutSuffix } from '#domain/order-number.ts';

it.each([
  ['Fresh Fruits', 'FF-'],
  ['The Old Delhi Spice Company', 'TODS-'],
  ['alphonso', 'AL-'],
  ['ताज़ा फल', ''],
  ["Asha's 2nd Shop", 'ASNS-'],
])('the numbers of %s begin with %j', (storeName, prefix) => expect(initialsOf(storeName)).toBe(prefix));

it('has at most 17 signs, 12 without its suffix', () => {
  const number = shownNumber({ prefix: 'TODS-', count: 9_998_999, suffix: '7K3Q' });
  expect([number, withoutSuffix(number)]).toEqual(['TODS-9999999-7K3Q', 'TODS-9999999']);
});

it.each([
  ...[
    'FF-1042-7K30',
    'ff 1042 7k30',
    'ff10427k30',
    '10427k30',
    '#1042-7k30.',
    'FF-१०४२-७k३०',
    'FF–1042–7K30',
  ],
  ...['ff 1o42 7k3o', 'FF-lO42-7k3O', 'F F 1 0 4 2 7 K 3 0', 'OIL-1042-7K30', 'ऑर्डर नंबर: FF-1042-7K30'],
  ...['Your order FF-1042-7K30 was cancelled', 'ＦＦ-１０４２-７Ｋ３０'],
])('%j is order 42, with its suffix', (text) =>
  expect(parseOrderNumber(text)).toEqual({ count: 42, suffix: '7K30' }),
);

it('reads digits as a suffix only after a whole number', () => {
  expect(parseOrderNumber('FF-10427433')).toEqual({ count: 42, suffix: '7433' });
  expect(parseOrderNumber('FF-1042743')).toEqual({ count: 1_041_743 });
});

it.each([
  ...['', 'FF-', 'FF-1000', 'FF-999', 'FF-1042-7K3', 'FF-1042-7K3Q-7K3Q', 'Lilli'],
  ...['9876543210987', '7f3e21ab-0000-4000-8000-000000000000'],
])('%j is no number of an order', (text) => expect(parseOrderNumber(text)).toBeUndefined());
