import { describe, expect, test } from 'vitest';
import { failuresOf, tallyOf } from '#scripts/check/proofs/tally.ts';

const FILE = 'tests/unit/a.test.ts';
const passing = (title: string) => ({ file: FILE, title, passed: true, message: '' });
const failing = (title: string) => ({ file: FILE, title, passed: false, message: 'expected 1 to be 2' });

describe('one run', () => {
  const proofs = [{ id: '2', title: 'is a row', file: FILE, isConditional: false }];

  test('has no failure where all passed, wherever in its title a test names what it proves', () => {
    expect(failuresOf('sample', 1, [passing('a group is a row [sample 1, 2]')], proofs)).toEqual([]);
  });

  test('tells what failed, with the run', () => {
    expect(failuresOf('sample', 3, [failing('[sample 2] is a row')], proofs)).toEqual([
      { run: 3, file: FILE, title: '[sample 2] is a row', message: 'expected 1 to be 2' },
    ]);
  });

  test('tells a proof that did not run', () => {
    const outcomes = [
      passing('[sample 1] is another'),
      { ...passing('[sample 2] x'), file: 'tests/b.test.ts' },
    ];
    expect(failuresOf('sample', 1, outcomes, proofs)).toMatchObject([
      { file: FILE, title: '[sample 2] is a row' },
    ]);
  });
});

describe('all runs of a statement’s tests', () => {
  const whole = [passing('[sample 2] x'), passing('[sample 1, 2] y'), failing('[sample 22] z')];

  test('are whole where all of them passed', () => {
    expect(tallyOf('sample', '2', [whole, whole])).toEqual({ tests: 2, wholeRuns: 2 });
  });

  test('are not whole where one failed or is missing', () => {
    const failed = [passing('[sample 2] x'), failing('[sample 1, 2] y')];
    expect(tallyOf('sample', '2', [whole, failed, whole.slice(1)])).toEqual({ tests: 2, wholeRuns: 1 });
  });

  test('are none where no test names it', () => {
    expect(tallyOf('sample', '3', [whole])).toEqual({ tests: 0, wholeRuns: 0 });
  });
});
