import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatPhone,
  isPhoneEmpty,
  isSamePhone,
  normalisePhone,
  phoneError,
  phoneHint,
  phoneNumber,
} from '#domain/phone.ts';

/** The field's value after each key, as a browser reports it. */
const type = (keys: string, start = ''): string =>
  [...keys].reduce((value, key) => formatPhone(value + key, {}, value), start);

const deleteAt = (value: string, index: number): string =>
  formatPhone(value.slice(0, index) + value.slice(index + 1), {}, value);

it.each([
  ['9876543210', '+919876543210'],
  ['+91 98765 43210', '+919876543210'],
  ['+91-98765-43210', '+919876543210'],
  ['0091 9876543210', '+919876543210'],
  ['09876543210', '+919876543210'],
  ['919876543210', '+919876543210'],
  ['91 91987 65432', '+919198765432'],
  ['0091 91987 65432', '+919198765432'],
  [' +919876543210', '+919876543210'],
  ['9123456789', '+919123456789'],
  ['+91 (0) 98765 43210', '+919876543210'],
  ['091 98765 43210', '+919876543210'],
  ['tel:+91\u201198765\u201143210', '+919876543210'],
  ['\u202a९८७६५४३२१०\u202c', '+919876543210'],
  ['Ph: 98765 43210', '+919876543210'],
  ['Mob.no.: +91 98765-43210', '+919876543210'],
  ['मोबाइल: ९८७६५४३२१०', '+919876543210'],
  ['98765432109999', '+9198765432109999'],
  ['91 98765 432101', '+9198765432101'],
  ['call me', '+91'],
  ['', '+91'],
])('[spec 5.phone.2] [spec 5.phone.3] [spec 5.phone.4] pasted %j is %j', (pasted, value) => {
  expect(formatPhone(pasted)).toBe(value);
});

it.each([
  ['9876543210', ''],
  ['+919876543210', ''],
  ['9876543210', '+91'],
  ['+919876543210', '+91'],
  ['09876543210', '+91'],
  ['9876543210999', '+91'],
])('[spec 5.phone.3] [spec 5.phone.4] typed %j into %j is the number', (keys, start) => {
  expect(type(keys, start)).toBe('+919876543210');
});

it('[spec 5.phone.2] a deletion in the prefix restores it and does not change the digits', () => {
  for (const index of [0, 1, 2]) {
    expect(deleteAt('+91', index)).toBe('+91');
    expect(deleteAt('+9198765', index)).toBe('+9198765');
    expect(deleteAt('+919876543210', index)).toBe('+919876543210');
  }
  expect(deleteAt('+9198765', 7)).toBe('+919876');
});

it('[spec 5.phone.4] a key beyond a shorter maximum is ignored', () => {
  expect(formatPhone('+91987654', { maxLength: 8 }, '+9198765')).toBe('+9198765');
});

it('[spec 5.phone.2] [spec 5.phone.4] the value of a phone field is always the prefix and digits, and formatting again does not change it', () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const value = formatPhone(typed, {}, typed);
      expect(value).toMatch(/^\+91\d{0,30}$/);
      expect(formatPhone(value, {}, value)).toBe(value);
    }),
  );
});

it.each([
  ['', true],
  [' ', true],
  ['+', true],
  ['+9', true],
  [' +91 ', true],
  ['+919', false],
])('[spec 3.field.10] %j counts as empty: %j', (value, is) => expect(isPhoneEmpty(value)).toBe(is));

it.each([
  ['[spec 5.phone.5]', '9876543210', {}, 'Phone number must start with +91'],
  ['[spec 5.phone.6]', '+9198', { minLength: 13 }, 'Phone number must have at least 13 characters'],
  [
    '[spec 5.phone.7]',
    '+919876543210',
    { maxLength: 10 },
    'Phone number must have no more than 10 characters',
  ],
  ['[spec 5.phone.8]', '+91987', {}, 'Phone number must be 13 characters (including +91)'],
  ['[spec 5.phone.8]', '+919876543210', {}, undefined],
  ['[spec 5.phone.6]', '+91987', { minLength: 6, maxLength: 13 }, undefined],
  ['[spec 5.phone.8]', '+9198765432101', {}, 'Phone number must be 13 characters (including +91)'],
  [
    '[spec 5.phone.7]',
    '+9198765432101',
    { minLength: 6 },
    'Phone number must have no more than 13 characters',
  ],
])('%s %j with %j: %j', (_, value, rules, text) => expect(phoneError(value, rules)).toBe(text));

it.each([
  ...['9876543210', '+91 98765 43210', '+91-98765-43210', '+919876543210', '91 98765 43210'],
  ...['0091 98765 43210', '098765 43210', '(+91) 98765.43210', '98765–43210', '९८७६५ ४३२१०'],
  ...['+९१ ९८७६५४३२१०', '৯৮৭৬৫৪৩২১০', '\u202a+91 98765 43210\u202c'],
  ...['9876543210,', '98765·43210', '98765_43210', '📞 +91 98765 43210;'],
])('%j is the number with ten digits', (pasted) => expect(normalisePhone(pasted)).toBe('9876543210'));

it.each(['', '98765', '020 2612 3456', '+44 20 7946 0958', '1876543210', '98765 43210 ext 4', 'call me'])(
  '%j is not changed',
  (typed) => expect(normalisePhone(typed)).toBe(typed),
);

it.each([
  ...['', ' ', '9876543210', '+91 98765 43210', '098765-43210'].map((phone) => [phone, undefined] as const),
  ...['98', '+1 555 0100', 'ask my neighbour', '+91 98765 432101'].map(
    (phone) => [phone, /10 digits/] as const,
  ),
])('[spec 5.checkout.3] the hint for %j is %s', (phone, advice) => {
  expect(phoneHint(phone) ?? '').toMatch(advice ?? /^$/);
});

it.each([
  ['+91 98765 43210', true],
  ['+919876543210', true],
  ['9876543210', true],
  ['09876543210', true],
  ['0091-98765-43210', true],
  ['(+91) 98765.43210', true],
  ['९८७६५४३२१०', true],
  ['\u202a98765\u201143210\u202c', true],
  ['“98765,43210”', true],
  ['98765²43210', false],
  ['9876543211', false],
  ['98765432101', false],
  ['19876543210', false],
  ['phone 9876543210', false],
])('%j is the number of an order: %j', (text, is) => expect(isSamePhone(text, '+91 98765 43210')).toBe(is));

it.each([
  ['+91 98765 43210', '9876543210', '+98765 43210', '+9 8765-43210', '०९८७६५४३२१०'],
  ['02212345678', '022 1234 5678', '+91 (0)22 12345678', '22-1234-5678'],
])('%j is one number, however it is written', (...written) =>
  expect(new Set(written.map(phoneNumber))).toHaveLength(1),
);

it('fewer than ten digits do not match a phone number', () => {
  expect(isSamePhone('12345', '12345')).toBe(false);
  expect(isSamePhone('0000012345', '12345')).toBe(false);
});
