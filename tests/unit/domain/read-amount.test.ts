import { describe, expect, it } from 'vitest';
import { amountText, readAmount } from '#domain/money.ts';

describe('amounts', () => {
  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [89_900, '899.00'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('[resolutions 18] %i paise are %s, there and back', (paise, text) => {
    expect([amountText(paise), readAmount(text)]).toEqual([text, paise]);
  });

  it.each(['', '1', '1.0', '-1.00', '1.000', '1e3.00', '99999999999999.99', ' 1.00'])(
    '%j is no amount',
    (text) => {
      expect(readAmount(text)).toBeUndefined();
    },
  );
});
