import fc from 'fast-check';
import { ATTACKS } from '#tests/support/attacks.ts';

/** What a spreadsheet would run, also after spaces and as a wide character. */
const FORMULAS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '＝1',
  '=HYPERLINK("https://evil.example")',
  '"=1"',
  "'=1",
];

/** Texts of attacks on pages and spreadsheets, and of any characters. */
export const hostileTexts = fc
  .array(fc.oneof(fc.constantFrom(...ATTACKS, ...FORMULAS), fc.string({ unit: 'grapheme', maxLength: 8 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(''));
