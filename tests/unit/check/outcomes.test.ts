import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOutcomes } from '#scripts/check/outcomes.ts';

const vitestReport = (...testResults: object[]): string => JSON.stringify({ testResults });

test('Vitest tells every test that ran, in its groups, with what failed', () => {
  const report = vitestReport({
    name: join(process.cwd(), 'tests/unit/a.test.ts'),
    status: 'failed',
    message: '',
    assertionResults: [
      { fullName: 'a group adds', status: 'passed', failureMessages: [] },
      {
        fullName: 'a group sums',
        status: 'failed',
        failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m'],
      },
      { fullName: 'a group waits once more', status: 'passed', failureMessages: ['expected 3 to be 4'] },
      { fullName: 'a group waits', status: 'skipped', failureMessages: [] },
    ],
  });
  expect(readOutcomes(report)).toEqual([
    { file: 'tests/unit/a.test.ts', title: 'a group adds', passed: true, message: '' },
    { file: 'tests/unit/a.test.ts', title: 'a group sums', passed: false, message: 'expected 1 to be 2' },
    {
      file: 'tests/unit/a.test.ts',
      title: 'a group waits once more',
      passed: false,
      message: 'expected 3 to be 4',
    },
  ]);
});

test('a file that Vitest could not load has failed as a whole', () => {
  const name = join(process.cwd(), 'tests/unit/b.test.ts');
  const report = vitestReport({ name, status: 'failed', message: 'No such module', assertionResults: [] });
  expect(readOutcomes(report)).toEqual([
    { file: 'tests/unit/b.test.ts', title: '', passed: false, message: 'No such module' },
  ]);
});

test('Playwright tells the same, and what failed outside of tests', () => {
  const spec = (title: string, status: string, ...errors: object[]): object => ({
    title,
    file: 'e2e/c.test.ts',
    tests: [{ status, results: [{ errors }] }],
  });
  const report = JSON.stringify({
    config: { rootDir: join(process.cwd(), 'tests') },
    suites: [
      {
        title: 'e2e/c.test.ts',
        specs: [spec('pays', 'expected'), spec('is not asked', 'skipped')],
        suites: [{ title: 'on a desktop', specs: [spec('pays', 'unexpected', { message: 'Timeout' })] }],
      },
    ],
    errors: [{ message: 'No browser' }],
  });
  expect(readOutcomes(report)).toEqual([
    { file: 'tests/e2e/c.test.ts', title: 'pays', passed: true, message: '' },
    { file: 'tests/e2e/c.test.ts', title: 'on a desktop pays', passed: false, message: 'Timeout' },
    { file: '', title: '', passed: false, message: 'No browser' },
  ]);
});

test('a report that was cut off tells nothing', () => {
  expect(readOutcomes('{"testResults": [')).toEqual([]);
});
