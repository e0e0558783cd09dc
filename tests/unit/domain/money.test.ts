import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatPaise,
  formatRupees,
  HIGHEST_PRICE,
  isPrice,
  plainAmount,
  type Rupees,
  readAmount,
  toPaise,
  toRupees,
} from '#domain/money.ts';

/** Exact paise of a decimal text, by integer arithmetic. */
function oracle(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = `${fraction}000`.slice(0, 3);
  return BigInt(whole) * 100n + BigInt(digits.slice(0, 2)) + (Number(digits[2]) >= 5 ? 1n : 0n);
}

it('[spec 9.money.1, 9.money.5] agrees with Intl for en-IN', () => {
  expect(formatRupees(1_234_567.89)).toBe('₹12,34,567.89');
  const { format } = new Intl.NumberFormat('en-IN', {
    style: 'currency',
    currency: 'INR',
    trailingZeroDisplay: 'stripIfInteger',
  });
  const most = HIGHEST_PRICE * 100;
  fc.assert(
    fc.property(fc.integer({ min: -most, max: most }), fc.constantFrom(1, 100), (amount, unit) => {
      const paise = Math.trunc(amount / unit) * unit;
      fc.pre(!Object.is(paise, -0));
      expect(formatPaise(paise)).toBe(format(paise / 100));
    }),
    { numRuns: 5_000 },
  );
});

it.each([
  [1.005, 101],
  [0.1, 10],
  [19.999, 2000],
  [4.35, 435],
  [1e-7, 0],
  [HIGHEST_PRICE, 1_000_000_000_000],
])('[spec 9.money.3] rounds %d rupees to %d paise, and back', (rupees, paise) => {
  expect(toPaise(rupees)).toBe(paise);
  expect(toPaise(toRupees(paise))).toBe(paise);
});

it('[spec 9.money.2] agrees with integer arithmetic on every price of up to three decimals', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000_000_000 }),
      fc.integer({ min: 0, max: 999 }),
      (whole, fraction) => {
        const text = `${whole}.${String(fraction).padStart(3, '0')}`;
        expect(BigInt(toPaise(Number(text)))).toBe(oracle(text));
      },
    ),
    { numRuns: 2_000 },
  );
});

it.each([
  ...[0, 0.01, HIGHEST_PRICE].map((value) => [value, true] as const),
  ...[-1, Number.NaN, Number.POSITIVE_INFINITY, '12.5', 1e20, null].map((value) => [value, false] as const),
])('[spec 9.money.4] %s is a price: %s', (value, is) => expect(isPrice(value)).toBe(is));

it.each([
  [0, '0.00'],
  [5, '0.05'],
  [89_900, '899.00'],
  [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
])('%i paise are written as %s and parsed back', (paise, text) => {
  expect([plainAmount(paise), readAmount(text)]).toEqual([text, paise]);
});

it.each(['', '1', '1.0', '-1.00', '1.000', '1e3.00', '99999999999999.99', ' 1.00'])(
  '%j is not an amount',
  (text) => expect(readAmount(text)).toBeUndefined(),
);

it('does not compile where rupees are given for paise', () => {
  const rupees: Rupees = 899;
  // @ts-expect-error Without the units this compiles.
  expect(formatPaise(rupees)).toBe('₹8.99');
});
