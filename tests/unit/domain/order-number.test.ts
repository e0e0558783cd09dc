import { expect, it } from 'vitest';
import { countOfNumber, initialsOf, shownNumber } from '#domain/order-number.ts';

it.each([
  ['Fresh Fruits', 'FF-'],
  ['The Old Delhi Spice Company', 'TODS-'],
  ['alphonso', 'AL-'],
  ['ताज़ा फल', ''],
  ["Asha's 2nd Shop", 'ASNS-'],
])('the numbers of %s begin with %j', (storeName, prefix) => expect(initialsOf(storeName)).toBe(prefix));

it('has at most 12 signs', () => expect(shownNumber('TODS-', 9_998_999)).toBe('TODS-9999999'));

it.each(['', 'FF-', 'FF-1000', 'FF-999', '12345678', '1042 1043', '7f3e21ab-0000-4000-8000-000000000000'])(
  '%j is no number of an order',
  (text) => expect(countOfNumber(text)).toBeUndefined(),
);
