import { expect, it } from 'vitest';
import type { CheckedLine } from '#domain/price-check.ts';
import { ADDRESS_FIELD_NAMES, EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { problemOf, refusalOf } from '#stores/checkout/problems.ts';
import { cartLine } from '#tests/support/samples.ts';

const address = {
  fullName: 'Asha',
  address: 'x',
  city: 'x',
  state: 'x',
  postalCode: 'not a PIN',
  phone: 'not a phone',
};

const line = cartLine({ price: 1 });

const checked: CheckedLine = { line, needsConsent: false, isPriced: true };

it('[spec 5.checkout.3] the problem is undefined when every field has a text', () => {
  expect(problemOf(address, [checked])).toBeUndefined();
});

it.each(ADDRESS_FIELD_NAMES)('[spec 5.checkout.2] [spec 8.checkout.2] the problem is a blank %s', (field) => {
  const found = problemOf({ ...address, [field]: ' \t ' }, [checked]);
  expect(Object.keys(found?.errors ?? {})).toEqual([field]);
  expect(found?.summary).toEqual({
    title: 'Please fill all fields',
    text: 'All shipping information fields are required.',
  });
});

it('the problem is the address before the lines', () => {
  const found = problemOf(EMPTY_ADDRESS, [{ ...checked, isPriced: false }]);
  expect(found?.summary?.title).toBe('Please fill all fields');
});

it.each([
  [{ isPriced: false }, 'Some items can no longer be ordered'],
  [{ needsConsent: true }, 'Some prices have gone up'],
] as const)('the problem is a line with %j', (change, title) => {
  expect(problemOf(address, [checked, { ...checked, ...change }])?.summary?.title).toBe(title);
});

const refused = (target?: string, error?: string) =>
  refusalOf({ kind: 'refused', status: 422, ...(target ? { target } : {}), ...(error ? { error } : {}) }, [
    line,
  ]);

it('the line that it names, with the server’s text', () => {
  expect(refused('mango', 'Gone.')).toEqual({
    errors: {},
    summary: { title: 'Gone.' },
    refused: { id: 'mango', text: 'Gone.' },
  });
});

it('the field that it names', () => {
  expect(refused('phone', 'Too long.').errors).toEqual({ phone: 'Too long.' });
});

it('[spec 8.checkout.4] a refusal marks nothing if it has no text, and the summary says Failed to create order', () => {
  expect(refused()).toEqual({ errors: {}, summary: { title: 'Failed to create order' } });
  expect(refused('phone').summary?.title).toBe('Failed to create order');
  expect(refusalOf({ kind: 'no-answer' }, [line]).summary?.title).toBe('Failed to create order');
});
