import { expect, it } from 'vitest';
import { arrangeFields, sharesRow } from '#domain/payment-layout.ts';
import { named, names } from '#tests/support/payment-field.ts';

it('fields that wait for others stand right after the last of them', () => {
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

it('[spec 3.field.4] an inline field shares the row of the previous one, a checkbox never', () => {
  const fields = named(['a'], ['b', { inline: true }], ['c'], ['d', { inline: true, type: 'checkbox' }]);
  expect(fields.map((_, index) => sharesRow(fields, index))).toEqual([true, true, false, false]);
  expect(sharesRow(named(['only', { inline: true }]), 0)).toBe(false);
});
