import { expect, it } from 'vitest';
import {
  arrangeFields,
  fieldError,
  isPhoneField,
  type PaymentField,
  validatePaymentForm,
  visibleFields,
} from '#domain/payment-form.ts';
import { submittedFields } from '#domain/payment-values.ts';
import { formatPhone, PHONE_PREFIX } from '#domain/phone.ts';
import { aField, named, names, values } from '#tests/support/samples.ts';

const SHORT = `${PHONE_PREFIX}98`;

const required = { required: true };

it.each([
  ['[spec 5.payment.2]', { rulesMessages: ['Enter your UPI ID'] }, '', 'Enter your UPI ID'],
  ['[spec 5.payment.2]', { rulesMessages: ['Enter your UPI ID'] }, ' \t', 'Enter your UPI ID'],
  ['[spec 5.payment.3]', {}, '', 'This field is required'],
  ['[spec 5.payment.3]', { rulesMessages: [''] }, '', 'This field is required'],
  ['[spec 5.payment.11]', { type: 'checkbox' }, 'false', 'This field is required'],
  ['[spec 5.payment.11]', { type: 'checkbox' }, 'true', undefined],
  ['[spec 5.payment.11]', { type: 'checkbox', rules: { required: true, minLength: 9 } }, 'true', undefined],
  ['[spec 3.field.10]', { type: 'tel' }, PHONE_PREFIX, 'This field is required'],
] as const)('%s a required field %j with %j: %j', (_, change, value, text) => {
  expect(fieldError(aField({ rules: required, ...change }), value)).toBe(text);
});

const rules = { required: true, minLength: 3, maxLength: 5, pattern: '^[a-z]+$' };
const rulesMessages = ['fill me', 'too short', 'too long', 'letters only'];

it.each([
  ['ab', 'too short'],
  ['abcdef', 'too long'],
  ['ab1', 'letters only'],
  ['abc', undefined],
  ['abcde', undefined],
  ['🍊🍊', 'too short'],
])('[spec 5.payment.8] a filled field %j: %j', (value, text) => {
  expect(fieldError(aField({ rules, rulesMessages }), value)).toBe(text);
});

it.each([
  [{ pattern: '^\\d+$' }, 'second'],
  [{ maxLength: 2 }, 'second'],
  [{ minLength: 2, pattern: '^b' }, 'third'],
  [{ minLength: 2, maxLength: 9, pattern: '^b' }, 'fourth'],
])('[spec 5.payment.8] messages are matched only to the rules that are set: %j', (given, text) => {
  const rulesMessages = ['first', 'second', 'third', 'fourth'];
  expect(fieldError(aField({ rules: { required: false, ...given }, rulesMessages }), 'abc')).toBe(text);
});

it.each([
  ['ab', 'Must have at least 3 characters'],
  ['abcdef', 'Must have no more than 5 characters'],
  ['ab1', 'Invalid format'],
])('[spec 5.payment.9] without a message %j: %j', (value, text) => {
  expect(fieldError(aField({ rules }), value)).toBe(text);
});

it('[spec 5.payment.4] an email field needs a valid email', () => {
  const email = aField({ type: 'email', rulesMessages: ['fill me'] });
  expect(fieldError(email, 'meera@')).toBe('Please enter a valid email address');
  expect(fieldError(email, ' meera@mail.example ')).toBeUndefined();
  expect(fieldError(email, '')).toBeUndefined();
});

it('patterns share one budget: those beyond it are left to the server', () => {
  const near = { rules: { required: false, pattern: '^a*a*a*$' } };
  const cheap = { rules: { required: false, pattern: '^b$' } };
  const fields = named(
    ...Array.from({ length: 99 }, (_, index): [string, typeof near] => [`near${index}`, near]),
    ['cheap', cheap],
  );
  const typed = new Map(fields.map(({ name }) => [name, `${'a'.repeat(60)}!`]));
  for (const _look of [1, 2])
    expect([...validatePaymentForm(fields, typed).keys()]).toEqual(['near0', 'cheap']);
});

it('[spec 5.payment.1] hidden fields are neither validated nor sent', () => {
  const fields = named(['upi'], ['pin', { rules, showWhenFilled: ['upi'] }]);
  const hidden = values({ upi: '', pin: '1' });
  expect([...validatePaymentForm(fields, hidden)]).toEqual([]);
  expect(submittedFields(fields, hidden)).toEqual({ upi: '' });
  expect([...validatePaymentForm(fields, values({ upi: 'x', pin: 'ab' })).keys()]).toEqual(['pin']);
});

const PHONE = formatPhone('98765 43210');

it.each([
  ['tel', 'contact', true],
  ['text', 'customerPhone', true],
  ['number', 'PHONE', true],
  ['text', 'name', false],
  ['select', 'phoneBrand', false],
  ['checkbox', 'phoneConsent', false],
  ['email', 'phoneEmail', false],
] as const)('[spec 5.phone.1] %s named %s: %j', (type, name, is) => {
  expect(isPhoneField({ type, name })).toBe(is);
});

it('[spec 5.phone.9] a phone field that fits no pattern has an error of its own', () => {
  const phone = aField({ type: 'tel', rules: { required: false, pattern: 'x' } });
  expect(fieldError(phone, PHONE)).toBe('Invalid phone number format');
});

it('[spec 5.payment.8] a phone field shows the server’s texts if it sends some', () => {
  const rules = { required: true, minLength: PHONE.length, pattern: 'x' };
  const phone = aField({
    type: 'tel',
    rules,
    rulesMessages: ['Phone, please', 'All digits', 'A mobile number'],
  });
  expect(['', SHORT, PHONE].map((value) => fieldError(phone, value))).toEqual([
    'Phone, please',
    'All digits',
    'A mobile number',
  ]);
});

const isShown = (value: string, change: Partial<PaymentField>): boolean =>
  visibleFields(
    named(['cause', change], ['effect', { showWhenFilled: ['cause', 'other'] }]),
    values({ cause: value }),
  ).length === 2;

it.each([
  ['[spec 3.field.7]', 'x', {}, true],
  ['[spec 3.field.7]', '  ', {}, false],
  ['[spec 3.field.9]', 'true', { type: 'checkbox' }, true],
  ['[spec 3.field.9]', 'false', { type: 'checkbox' }, false],
  ['[spec 3.field.10]', PHONE_PREFIX, { type: 'tel' }, false],
  ['[spec 3.field.10]', SHORT, { type: 'tel' }, true],
] as const)('%s a cause of %j with %j shows it: %j', (_, value, change, shown) => {
  expect(isShown(value, change)).toBe(shown);
});

it('fields that depend on others give a stable form if they name themselves, each other, an unknown field, or one twice', () => {
  const fields = named(
    ['self', { showWhenFilled: ['self'] }],
    ['x', { showWhenFilled: ['y'] }],
    ['y', { showWhenFilled: ['x'] }],
    ['nobody', { showWhenFilled: ['ghost', ''] }],
    ['twice', { showWhenFilled: ['last', 'last'] }],
    ['__proto__', { showWhenFilled: ['constructor'] }],
    ['last'],
  );
  expect(names(arrangeFields(fields)).toSorted()).toEqual(names(fields).toSorted());
  expect(names(visibleFields(fields, values({})))).toEqual(['last']);
  expect(names(visibleFields(fields, values({ x: '1', last: '1' })))).toEqual(['y', 'twice', 'last']);
});
