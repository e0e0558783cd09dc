import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FIELD_TYPES,
  fieldError,
  isFieldEmpty,
  isPhoneField,
  type PaymentField,
  validatePaymentForm,
  visibleFields,
} from '#domain/payment-form.ts';
import { arrangeFields } from '#domain/payment-layout.ts';
import {
  emptyRequired,
  initialValues,
  normaliseInput,
  shownValue,
  submittedFields,
} from '#domain/payment-values.ts';
import { formatPhone, PHONE_PREFIX } from '#domain/phone.ts';
import { aField, named, names, values } from '#tests/support/samples.ts';

const SHORT = `${PHONE_PREFIX}98`;

describe('a field that must be filled', () => {
  const required = { required: true };

  it.each([
    ['[spec 5.payment.2]', { rulesMessages: ['Enter your UPI ID'] }, '', 'Enter your UPI ID'],
    ['[spec 5.payment.2]', { rulesMessages: ['Enter your UPI ID'] }, ' \t', 'Enter your UPI ID'],
    ['[spec 5.payment.3]', {}, '', 'This field is required'],
    ['[spec 5.payment.3]', { rulesMessages: [''] }, '', 'This field is required'],
    ['[spec 5.payment.11]', { type: 'checkbox' }, 'false', 'This field is required'],
    ['[spec 5.payment.11]', { type: 'checkbox' }, 'true', undefined],
    ['[spec 3.field.10]', { type: 'tel' }, PHONE_PREFIX, 'This field is required'],
  ] as const)('%s %j with %j: %j', (_, change, value, text) => {
    expect(fieldError(aField({ rules: required, ...change }), value)).toBe(text);
  });
});

describe('the rules of a filled field', () => {
  const rules = { required: true, minLength: 3, maxLength: 5, pattern: '^[a-z]+$' };
  const rulesMessages = ['fill me', 'too short', 'too long', 'letters only'];

  it.each([
    ['ab', 'too short'],
    ['abcdef', 'too long'],
    ['ab1', 'letters only'],
    ['abc', undefined],
    ['🍊🍊', 'too short'],
  ])('[spec 5.payment.8] %j: %j', (value, text) => {
    expect(fieldError(aField({ rules, rulesMessages }), value)).toBe(text);
  });

  it('[spec 5.payment.8] messages count only the rules that are given', () => {
    const only = aField({
      rules: { required: false, pattern: '^\\d+$' },
      rulesMessages: ['fill me', 'digits only'],
    });
    expect(fieldError(only, 'abc')).toBe('digits only');
  });

  it.each([
    ['ab', 'Must have at least 3 characters'],
    ['abcdef', 'Must have no more than 5 characters'],
    ['ab1', 'Invalid format'],
  ])('[spec 5.payment.9] without a message %j: %j', (value, text) => {
    expect(fieldError(aField({ rules }), value)).toBe(text);
  });

  it('[spec 5.payment.4] an email must be an address', () => {
    const email = aField({ type: 'email', rulesMessages: ['fill me'] });
    expect(fieldError(email, 'meera@')).toBe('Please enter a valid email address');
    expect(fieldError(email, ' meera@mail.example ')).toBeUndefined();
    expect(fieldError(email, '')).toBeUndefined();
  });

  it('[fault 56] a hundred patterns that are near the limit share it: those beyond are left to the server', () => {
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
});

describe('a phone field', () => {
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

  it.each([
    ['[spec 5.phone.5]', '98', { minLength: 3 }, `Phone number must start with ${PHONE_PREFIX}`],
    ['[spec 5.phone.6]', SHORT, { minLength: 13 }, 'Phone number must have at least 13 characters'],
    ['[spec 5.phone.7]', PHONE, { maxLength: 8 }, 'Phone number must have no more than 8 characters'],
    ['[spec 5.phone.9]', PHONE, { pattern: 'x' }, 'Invalid phone number format'],
  ])('%s %j with %j: %j', (_, value, rules, text) => {
    expect(fieldError(aField({ type: 'tel', rules: { required: false, ...rules } }), value)).toBe(text);
  });

  it('[spec 5.payment.8] shows the server’s texts where it gives some', () => {
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
});

describe('fields that wait for others', () => {
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

  it('[fault 58] end in one stable form when they name themselves, each other, nobody, or twice', () => {
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
});

describe('any form a server may define', () => {
  const name = fc.constantFrom('a', 'b', 'phone', '__proto__', 'constructor', 'toString', '');
  const text = fc.oneof(fc.string(), fc.constantFrom('true', 'false', '+91', '(a+)+$', '['));
  const anyField = fc.record({
    name,
    label: text,
    type: fc.constantFrom(...FIELD_TYPES),
    placeholder: text,
    description: text,
    options: fc.array(text, { maxLength: 3 }),
    inline: fc.boolean(),
    mask: fc.oneof(fc.constant(''), fc.constantFrom('99/99', 'a*9', '+91 99999', '((('), fc.string()),
    rules: fc
      .tuple(fc.boolean(), fc.nat(20), fc.nat(20), text)
      .map(([required, minLength, maxLength, pattern]) => ({ required, minLength, maxLength, pattern })),
    rulesMessages: fc.array(text, { maxLength: 5 }),
    defaultValue: text,
    showWhenFilled: fc.array(name, { maxLength: 3 }),
  });

  it('[fault 57] [fault 58] never throws, keeps every field, and agrees with itself', () => {
    const typing = fc.array(fc.tuple(name, text), { maxLength: 5 });
    fc.assert(
      fc.property(fc.uniqueArray(anyField, { selector: (each) => each.name }), typing, (fields, typed) => {
        const arranged = arrangeFields(fields);
        expect(new Set(arranged)).toEqual(new Set(fields));
        const current = initialValues(arranged);
        for (const [key, value] of typed) {
          const target = arranged.find((each) => each.name === key);
          if (target) current.set(key, normaliseInput(target, value, current.get(key)));
        }
        const visible = visibleFields(arranged, current);
        const errors = validatePaymentForm(arranged, current);
        expect(names(visible)).toEqual(expect.arrayContaining([...errors.keys()]));
        expect(Object.keys(submittedFields(arranged, current)).toSorted()).toEqual(names(visible).toSorted());
        const required = visible.filter((each) => each.rules.required);
        const filled = required.every((each) => !isFieldEmpty(each, current.get(each.name) ?? ''));
        expect(emptyRequired(arranged, current).length === 0).toBe(filled);
        for (const each of arranged) shownValue(each, current.get(each.name) ?? '');
      }),
    );
  });
});

describe('the smallest print of the rules', () => {
  const error = (rules: Partial<PaymentField['rules']>, value: string, rulesMessages: string[] = []) =>
    fieldError(aField({ rules: { required: false, ...rules }, rulesMessages }), value);

  it('lets the limits themselves pass, and counts whole characters', () => {
    expect(error({ minLength: 3, maxLength: 3 }, 'abc')).toBeUndefined();
    expect(error({ maxLength: 3 }, '🍊🍊🍊')).toBeUndefined();
    expect(error({ maxLength: 3 }, 'abcd')).toBe('Must have no more than 3 characters');
    expect(error({ minLength: 3 }, 'ab')).toBe('Must have at least 3 characters');
  });

  it('gives the texts after the first to the rules that are there, in order', () => {
    const texts = ['is required', 'second', 'third', 'fourth'];
    expect(error({ maxLength: 3 }, 'abcd', texts)).toBe('second');
    expect(error({ minLength: 2, pattern: '^b' }, 'abc', texts)).toBe('third');
    expect(error({ minLength: 2, maxLength: 9, pattern: '^b' }, 'abc', texts)).toBe('fourth');
  });

  it('never asks a ticked box for anything else', () => {
    const box = aField({ type: 'checkbox', rules: { required: true, minLength: 9 } });
    expect(fieldError(box, 'true')).toBeUndefined();
  });
});
