import { expect, it } from 'vitest';
import { arrangeFields, sharesRow } from '#domain/payment-form.ts';
import {
  emptyRequired,
  initialValues,
  normaliseInput,
  shownValue,
  submittedFields,
} from '#domain/payment-values.ts';
import { formatPhone, PHONE_PREFIX } from '#domain/phone.ts';
import { aField, named, names, values } from '#tests/support/samples.ts';

it('[spec 3.field.6] [spec 3.field.8] the values of the form start with the defaults', () => {
  const fields = named(
    ['text', { defaultValue: 'Meera' }],
    ['on', { type: 'checkbox', defaultValue: 'true' }],
    ['off', { type: 'checkbox', defaultValue: 'yes' }],
    ['select', { type: 'select', options: ['a', 'b'], defaultValue: 'b' }],
    ['unknown', { type: 'select', options: ['a', 'b'], defaultValue: 'c' }],
    ['masked', { mask: '99/99', defaultValue: '12/27' }],
  );
  expect(Object.fromEntries(initialValues(fields))).toEqual({
    text: 'Meera',
    on: 'true',
    off: 'false',
    select: 'b',
    unknown: '',
    masked: '1227',
  });
});

it.each([
  ['99/99', '1227', '1227', '12/27'],
  ['99/99', '12/27', '1227', '12/27'],
  ['99/99', '12', '12', '12'],
  ['99/99', '12/', '12', '12'],
  ['99/99', '1a2b2c7d9', '1227', '12/27'],
  ['9999 9999', '0012', '0012', '0012'],
  ['+0 999', '0012', '012', '+0 012'],
  ['aa-99', 'mh12', 'mh12', 'mh-12'],
  ['**-**', 'a 1é2', 'a1é2', 'a1-é2'],
  ['a9', '𝒜1', '𝒜1', '𝒜1'],
  ['99/99', '', '', ''],
])('[spec 3.field.5] mask %j, typed %j: stores %j, shows %j', (mask, typed, stored, shown) => {
  const masked = aField({ mask });
  expect(normaliseInput(masked, typed)).toBe(stored);
  expect(shownValue(masked, stored)).toBe(shown);
  expect(normaliseInput(masked, shown)).toBe(stored);
});

it('the values of the form are sent for names such as __proto__', () => {
  const fields = named(['__proto__'], ['constructor']);
  const sent = submittedFields(
    fields,
    new Map([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]),
  );
  expect(JSON.stringify(sent)).toBe('{"__proto__":"a","constructor":"b"}');
  expect(Object.prototype).not.toHaveProperty('a');
});

it('[spec 5.phone.10] a phone starts with +91 if required, else empty, and a bare prefix is not sent', () => {
  const fields = named(
    ['must', { type: 'tel', rules: { required: true } }],
    ['may', { type: 'tel' }],
    ['known', { type: 'tel', defaultValue: '98765 43210' }],
  );
  const initial = initialValues(fields);
  const known = formatPhone('98765 43210');
  expect(Object.fromEntries(initial)).toEqual({ must: PHONE_PREFIX, may: '', known });
  expect(submittedFields(fields, initial)).toEqual({ must: '', may: '', known });
});

it('[spec 5.payment.7] an empty visible required field disables the submit button', () => {
  const fields = named(['upi'], ['name', { rules: { required: true }, showWhenFilled: ['upi'] }]);
  const empty = (given: Record<string, string>) =>
    emptyRequired(fields, values(given)).map(({ name }) => name);
  expect(empty({})).toEqual([]);
  expect(empty({ upi: 'x' })).toEqual(['name']);
  expect(empty({ upi: 'x', name: ' ' })).toEqual(['name']);
  expect(empty({ upi: 'x', name: 'Meera' })).toEqual([]);
});

it('a dependent field follows the last field that it depends on', () => {
  const fields = named(
    ['a'],
    ['b'],
    ['c'],
    ['forA', { showWhenFilled: ['a'] }],
    ['forAorB', { showWhenFilled: ['b', 'a'] }],
    ['forForA', { showWhenFilled: ['forA'] }],
  );
  expect(names(arrangeFields(fields))).toEqual(['a', 'forA', 'forForA', 'b', 'forAorB', 'c']);
});

it('[spec 3.field.4] an inline field shares the row of the previous one, a checkbox does not', () => {
  const fields = named(['a'], ['b', { inline: true }], ['c'], ['d', { inline: true, type: 'checkbox' }]);
  expect(fields.map((_, index) => sharesRow(fields, index))).toEqual([true, true, false, false]);
  expect(sharesRow(named(['only', { inline: true }]), 0)).toBe(false);
});
