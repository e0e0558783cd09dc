import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitsPattern } from '#domain/pattern.ts';

/** Patterns that take a backtracking matcher minutes or more, which is beyond the time limit of a test. */
const RUNAWAYS: readonly string[] = [
  '^(a+)+$',
  '(a|a)*$',
  '^(a|aa)+$',
  '(?:(?:a|b)?c?){20}d',
  'a?'.repeat(30) + 'a'.repeat(30),
  '(a|a)'.repeat(50),
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '.*.*.*x',
  'a{1,1000}a{1,1000}a{1,1000}b',
  '((a{100}){100}){100}',
  '(a{99}){40}b',
  '^(?:\\w+\\s?)*$',
  '(a*?)*?b',
  '(|a)+b',
  '^(?=(a+)+$)b',
  '^(\\p{1,30})+$',
];

/** Values on which these patterns backtrack without end. */
const RUNAWAY_VALUES: readonly string[] = [
  `${'a'.repeat(28)}!`,
  `${'ab'.repeat(300)}!`,
  `${'a'.repeat(10_000)}!`,
  `${'p'.repeat(28)}!`,
];

/** Pieces from which random patterns are made. */
const PATTERN_PIECES: readonly string[] = [
  ...['a', 'b', '.', '\\d', '[ab]', '(', '(?:', ')', '|', '*', '+', '?'],
  ...['{2,}', '{1,50}', '{30}', '^', '$'],
];

const SAFE: [pattern: string, value: string, fits: boolean][] = [
  ['^\\+91[6-9]\\d{9}$', '+919876543210', true],
  ['^\\+91[6-9]\\d{9}$', '+911876543210', false],
  ['^[\\w.+-]+@[\\w-]+\\.[\\w.]+$', 'meera.kulkarni@mail.example.in', true],
  ['^[\\w.+-]+@[\\w-]+\\.[\\w.]+$', 'meera', false],
  ['^[a-zA-Z0-9.\\-_]{2,256}@[a-zA-Z]{2,64}$', 'meera@okbank', true],
  ['^[a-zA-Z0-9.\\-_]{2,256}@[a-zA-Z]{2,64}$', 'meera', false],
  ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'abcdefgh', false],
  ['^(?:\\+91[ -]?)?[6-9]\\d{9}$', '+91 9876543210', true],
  ['^(?:\\+91[ -]?)?[6-9]\\d{9}$', '+91 1876543210', false],
  ['^(0[1-9]|1[0-2])\\/\\d{2}$', '13/27', false],
  ['^(yes|no)$', 'perhaps', false],
  ['\\d', 'no digit in a text of ordinary length', false],
  ['^\\p{L}+$', 'अमृता', false],
  ['^[\\p{L}\\p{M}]+$', 'अमृता', true],
  ['^a\\-b$', 'a-b', true],
  ['^a\\-\\u0062\\x63$', 'a-bd', false],
];

it.each(SAFE)('%s on %j: %j', (pattern, value, fits) => expect(fitsPattern(pattern, value)).toBe(fits));

it.each([
  ...['[', '(', ')', '\\', 'a**', '*', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>'],
  ...['^(?:\\d{4} ?){4}$', '\\A[0-9]{6}\\z', '^\\p{Latin}+$', '^\\x{20}$', 'x'.repeat(301)],
])('[spec 5.payment.10] %s is left to the server', (pattern) => {
  expect(fitsPattern(pattern, 'anything')).toBe(true);
});

it.each(RUNAWAYS)('[spec 5.payment.10] %s does not block the page', (pattern) => {
  for (const value of RUNAWAY_VALUES) fitsPattern(pattern, value);
});

it('a pattern from the server is checked quickly on a long value', () => {
  fitsPattern('a*'.repeat(150), 'a'.repeat(2_000_000));
});

it('a pattern from the server is left to the server if the budget is too small', () => {
  const budget = { steps: 100_000 };
  const patterns = ['^\\p{L}{4}$', '^\\p{L}\\p{L}\\p{L}\\p{L}$', '^a+$'];
  expect(patterns.map((pattern) => fitsPattern(pattern, '1', budget))).toEqual([false, true, false]);
  expect(budget.steps).toBeGreaterThanOrEqual(0);
  expect(budget.steps).toBeLessThan(80_000);
});

it('a pattern from the server never takes long and never throws, for any pattern and value', () => {
  const piece = fc.constantFrom(...PATTERN_PIECES);
  const pattern = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  const value = fc
    .array(fc.constantFrom('a', 'b', '1'), { maxLength: 200 })
    .map((letters) => letters.join(''));
  fc.assert(
    fc.property(pattern, value, (source, text) => void fitsPattern(source, text)),
    { numRuns: 5_000 },
  );
});
