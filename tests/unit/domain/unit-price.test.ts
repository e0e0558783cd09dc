import { expect, test } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import { keyFacts, priceNote, unitPrices } from '#domain/unit-price.ts';

const attribute = (key: string, value: string, unit?: string) => ({
  key,
  values: [value],
  ...(unit ? { unit } : {}),
});
const of = (price: number, ...attributes: ReturnType<typeof attribute>[]) =>
  unitPrices({ price, attributes });

test.each([
  [
    of(899, attribute('Net weight', '1.5', 'kg'), attribute('Pieces', '6')),
    [`${formatRupees(599.33)}/kg`, `${formatRupees(149.83)}/piece`],
  ],
  [of(249, attribute(' net WEIGHT ', '200', 'g')), [`${formatRupees(124.5)}/100 g`]],
  [of(149, attribute('Net weight', '500', 'g')), [`${formatRupees(298)}/kg`]],
  [of(129, attribute('Net quantity', '1 kg'), attribute('Pieces', '6–7')), [`${formatRupees(129)}/kg`]],
  [of(90, attribute('Net volume', '250', 'ml')), [`${formatRupees(36)}/100 ml`]],
  [of(499, attribute('Net quantity', '2', 'pieces')), [`${formatRupees(249.5)}/piece`]],
  [of(499, attribute('Net quantity', '1', 'piece')), []],
  [of(100, attribute('Pieces', '1.5')), []],
  [of(100, attribute('Weight', '450', 'g')), []],
  [of(100, attribute('Net weight', '0', 'kg')), []],
  [of(100, attribute('Net weight', 'heavy', 'kg')), []],
  [of(100, attribute('Net weight', '5', 'constructor')), []],
  [of(0, attribute('Net weight', '1', 'kg')), []],
])('%#: %s', (found, expected) => {
  expect(found).toEqual(expected);
});

test('the note under a price says that taxes are in it, and nothing where there is no price', () => {
  const attributes = [attribute('Net weight', '2', 'kg')];
  expect(priceNote({ price: 399, attributes })).toBe(`${formatRupees(199.5)}/kg · Inclusive of all taxes`);
  expect(priceNote({ price: 0, attributes })).toBe('');
});

test('what a buyer wants to know first', () => {
  expect(
    keyFacts([
      attribute('Country of origin', 'India'),
      attribute('Best before', '24', 'months'),
      attribute('Net quantity', '100', 'g'),
      attribute('Care', 'Wash'),
    ]),
  ).toEqual(['Net quantity 100 g', 'Country of origin India', 'Best before 24 months']);
  expect(keyFacts([attribute('Origin', 'Nashik'), attribute('Country of origin', 'India')])).toEqual([
    'Origin Nashik',
  ]);
  expect(keyFacts([attribute('Origin', 'x'.repeat(100))])).toEqual([]);
});
