import { expect, test } from 'vitest';
import { countTests } from '#scripts/check/counts.ts';

test('tests are counted from the report of either runner', () => {
  expect(countTests('{"numPassedTests": 4, "numFailedTests": 1, "numTotalTests": 5}')).toEqual({
    passed: 4,
    failed: 1,
  });
  expect(countTests('{"stats": {"expected": 7, "unexpected": 2, "flaky": 1, "skipped": 3}}')).toEqual({
    passed: 7,
    failed: 3,
  });
});

test('a report that was cut off counts nothing', () => {
  expect(countTests('{"numPassedTests": 4')).toEqual({ passed: 0, failed: 0 });
});
