import { expect, it } from 'vitest';
import { tidyPhone } from '#domain/phone.ts';
import { isPasted, tidyField } from '#domain/shipping-address.ts';

it.each([
  '9876543210',
  '+91 98765 43210',
  '+91-98765-43210',
  '+919876543210',
  '91 98765 43210',
  '0091 98765 43210',
  '098765 43210',
  '(+91) 98765.43210',
  '98765–43210',
  '९८७६५ ४३२१०',
  '+९१ ९८७६५४३२१०',
  '৯৮৭৬৫৪৩২১০',
  '\u202a+91 98765 43210\u202c',
])('%j is the number with ten digits', (pasted) => expect(tidyPhone(pasted)).toBe('9876543210'));

it.each(['', '98765', '020 2612 3456', '+44 20 7946 0958', '1876543210', '98765 43210 ext 4', 'call me'])(
  '%j stays as it was typed',
  (typed) => expect(tidyPhone(typed)).toBe(typed),
);

it('is done to the phone and the PIN code alone', () => {
  expect(tidyField('address', '+91 98765 43210')).toBe('+91 98765 43210');
  expect(tidyField('postalCode', '411 001')).toBe('411001');
});

it('tells a paste from a key', () => {
  expect(isPasted('9', '')).toBe(false);
  expect(isPasted('98', '9')).toBe(false);
  expect(isPasted('9876543210', '')).toBe(true);
  expect(isPasted('', '9876543210')).toBe(false);
});
