import { expect, it } from 'vitest';
import { exactPaise, parseExact, wholePaise } from '#server/payments/providers/provider-data.ts';

it.each([
  ['500', 50_000],
  ['500.0', 50_000],
  ['500.00', 50_000],
  ['5e2', 50_000],
  ['5E+2', 50_000],
  ['50000e-2', 50_000],
  ['0.1', 10],
  ['1.15', 115],
  ['90071992547409.91', 9_007_199_254_740_991],
  ['500.001', undefined],
  ['5e-3', undefined],
  ['90071992547409.92', undefined],
  ['1e99', undefined],
  ['-5', undefined],
  ['', undefined],
  ['5,00', undefined],
  ['0x10', undefined],
])('the amount %s is %s paise', (text, paise) => expect(exactPaise(text)).toBe(paise));

it.each([
  ['50000', 50_000],
  ['50000.5', undefined],
  ['5e4', undefined],
  ['', undefined],
])('%s whole paise are %s', (text, paise) => expect(wholePaise(text)).toBe(paise));

it('parses JSON with each number as its exact source text', () =>
  expect(parseExact('{"a": 500.00, "b": [5e2], "c": "x", "d": null, "e": true}')).toEqual({
    a: '500.00',
    b: ['5e2'],
    c: 'x',
    d: null,
    e: true,
  }));
