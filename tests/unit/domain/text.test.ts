import { describe, expect, it } from 'vitest';
import { canonicalEmail } from '#domain/email.ts';
import { foldText, searchText } from '#domain/fold-text.ts';
import { readQuantity } from '#domain/number-input.ts';
import { FIELD_TYPES, type PaymentField } from '#domain/payment-form.ts';
import { submittedFields } from '#domain/payment-values.ts';
import { readRupees } from '#domain/rupees-input.ts';
import { ADDRESS_FIELD_NAMES, trimAddress } from '#domain/shipping-address.ts';
import { tidyCode, tidyText } from '#domain/text.ts';
import { CODE_PASTES, INVISIBLE_PASTES, JOINED } from '#tests/support/pastes.ts';
import { aField, MEERA } from '#tests/support/samples.ts';

const FIELD = aField({ name: 'x', options: ['a 1'] });

const sent = (field: PaymentField, text: string) => submittedFields([field], new Map([['x', text]])).x;

describe.each(Object.entries(INVISIBLE_PASTES))('a text pasted %s', (_, paste) => {
  it.each(ADDRESS_FIELD_NAMES)('is the same %s', (field) => {
    expect(trimAddress({ ...MEERA, [field]: paste(MEERA[field]) })).toEqual(MEERA);
  });

  it.each(FIELD_TYPES)('is the same in a payment field of type %s, but a password as it is', (type) => {
    if (type === 'checkbox' || type === 'select') return;
    const text = '+919876543210';
    expect(sent({ ...FIELD, type }, paste(text))).toBe(type === 'password' ? paste(text) : text);
  });
});

it.each(Object.entries(CODE_PASTES))('a code pasted %s is the same', (_, paste) => {
  expect(tidyCode(paste('FF-1042-7K3Q'))).toBe('FF-1042-7K3Q');
  expect(canonicalEmail(paste('meera-7@shop-1.example'))).toBe('meera-7@shop-1.example');
  expect(trimAddress({ ...MEERA, phone: paste('98765-43210'), postalCode: paste('411001') })).toEqual({
    ...MEERA,
    phone: '98765-43210',
    postalCode: '411001',
  });
  const pattern = '^[a-z\\d-]+@[a-z]+$';
  expect(sent({ ...FIELD, rules: { required: true, pattern } }, paste('a-1@upi'))).toBe('a-1@upi');
  expect([readQuantity(paste('12')).quantity, readRupees(paste('1,29,900.50'))]).toEqual([12, 129_900.5]);
});

it.each(JOINED)('%s keeps its joiner', (word) => expect(tidyText(`\u200d${word}\u200e`)).toBe(word));

const NO_PIECES = [
  ...['0.5', '1.5', '2,5', '1e3', '', '-1', '0', '10000', '3x', '1 00', '5²', '½'],
  ...['१.५', '+3', '0,500', 'two'],
];

it.each([
  ...NO_PIECES.map((text) => [text, undefined] as const),
  ...[' 3 ', '3.0', '००३', '007', '३'].map((text) => [text, Number.parseInt(tidyCode(text), 10)] as const),
  ...['1 000', '1,000', '१,०००', '1000.00'].map((text) => [text, 1_000] as const),
])('a quantity of %j is %s pieces', (text, quantity) => {
  const isWrong = quantity === undefined && !['', '0'].includes(text);
  expect(readQuantity(text)).toEqual({ quantity, isWrong });
});

it.each<readonly [string, number | undefined]>([
  ...['500', '₹500', '500/-', 'Rs. 500', 'rs.500/-', 'INR 500.00', '₹ 500/- only', '५००', '500 rupees'].map(
    (text) => [text, 500] as const,
  ),
  ...['रु. 500/=', '₨ 500', '５００', '500.-'].map((text) => [text, 500] as const),
  ...['1,00,000', ' 1 00 000 ', '1\u00a000\u00a0000', '1 lakh', '1,00,000.00/-', '100k', '0.01 cr'].map(
    (text) => [text, 100_000] as const,
  ),
  ['1.5k', 1_500] as const,
  ['99.50', 99.5] as const,
  ['0', 0] as const,
  ...['', '-5', '1,00', '99,50', '1.005', '1e3', '500-700', '₹', 'cheap', '5²', '99999999999999'].map(
    (text) => [text, undefined] as const,
  ),
])('an amount of %j is %s rupees', (text, rupees) => expect(readRupees(text)).toBe(rupees));

it.each([
  ...[
    ['ज़ोया', '\u095bोया'],
    ['ড়', '\u09a1\u09bc'],
    ['ਸ਼', '\u0a38\u0a3c'],
    ['கொ', 'க\u0bc6\u0bbe'],
  ],
  ...[
    ['അവൻ', 'അവന\u0d4d\u200d'],
    ['উৎসব', 'উত\u09cd\u200dসব'],
    ['क्\u200dष', 'क्ष'],
    ['José', 'JOSE\u0301'],
  ],
  ...[
    ['D’Souza', "d'souza"],
    ['Straße', 'STRASSE'],
    ['ﬁg', 'FIG'],
    ['Ｍ', 'm'],
    ['Size\u00a0९', ' size  9'],
  ],
])('%s and %s are one text', (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
  expect(foldText(foldText(one))).toBe(foldText(one));
});

it('a search needs neither accents nor nuktas, but what is the same is another question', () => {
  expect([searchText('Rosé'), searchText('ज़ोया')]).toEqual(['rose', 'जोया']);
  expect(foldText('Rosé')).not.toBe(foldText('Rose'));
});
