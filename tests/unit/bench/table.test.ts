import { expect, test } from 'vitest';
import { type Row, verdictOf } from '#tests/bench/table.ts';

const row = (figures: Partial<Row>): Row => ({ what: 'home', value: 100, unit: 'ms', ...figures });

test.each<[string, Partial<Row>, string]>([
  ['no bar', {}, ''],
  ['on its bar', { bar: 100 }, 'met'],
  ['over its bar by less than a tenth', { bar: 95 }, 'within a tenth'],
  ['over its bar by more', { bar: 90 }, 'NOT MET'],
  ['more than a bar of nothing', { value: 0.001, bar: 0 }, 'NOT MET'],
  ['at least its bar, where more is better', { bar: 99, more: true }, 'met'],
  ['under its bar, where more is better', { bar: 120, more: true }, 'NOT MET'],
  ['no number', { value: Number.NaN, bar: 100 }, 'NOT MET'],
  ['no commit beside it', { ratioBar: 1.1 }, ''],
  ['as much as the other commit', { ratioBar: 1.1, other: 100 }, 'met'],
  ['more than the other commit, within a tenth', { ratioBar: 1.1, other: 85 }, 'within a tenth'],
  ['its bar met, but not that of the ratio', { bar: 100, ratioBar: 1.1, other: 50 }, 'NOT MET'],
])('a figure with %s', (_, figures, verdict) => {
  expect(verdictOf(row(figures))).toBe(verdict);
});
