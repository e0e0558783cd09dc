import { describe, expect, test } from 'vitest';
import { findProofs } from '#scripts/check/proofs/proofs.ts';
import { parseStatements } from '#scripts/check/proofs/statements.ts';

const idsIn = (source: string): string[] =>
  findProofs('sample', 'tests/a.test.ts', source).map(({ id }) => id);

describe('proofs named in test files', () => {
  test('are found in titles of tests and groups', () => {
    expect(idsIn("describe('[sample 2.a.1] x', () => { test('[sample 2.a.2] y', () => {}); });")).toEqual([
      '2.a.1',
      '2.a.2',
    ]);
  });

  test('may name several statements', () => {
    expect(idsIn("test('[sample 2.a.1, 2.a.2] x', () => {});")).toEqual(['2.a.1', '2.a.2']);
  });

  test('are found in tables of cases and in template texts', () => {
    expect(idsIn("test.each([['[sample 4.a.1]', 0]])('%s is %i', () => {});")).toEqual(['4.a.1']);
    expect(idsIn('for (const n of all) test(`[sample 4.a.1] $' + '{n}`, () => {});')).toEqual(['4.a.1']);
  });

  test('do not count in comments or in tests that do not run', () => {
    expect(idsIn("// test('[sample 2.a.1] x')\ntest.skip('[sample 2.a.2] y', () => {});")).toEqual([]);
    expect(idsIn("describe.skip('g', () => { test('[sample 2.a.2] y', () => {}); });")).toEqual([]);
    expect(idsIn("test.todo('[sample 2.a.3] z');")).toEqual([]);
  });

  test('are conditional where a test or its group is skipped under a condition, or skips itself', () => {
    const conditionalIn = (source: string): string[] =>
      findProofs('sample', 'tests/a.test.ts', source)
        .filter(({ isConditional }) => isConditional)
        .map(({ id }) => id);
    const group = "test('[sample 1] x', () => {}); test.each(all)('[sample 2] %s', () => {});";
    expect(conditionalIn(`describe.skipIf(!installed)('g', () => { ${group} });`)).toEqual(['1', '2']);
    expect(conditionalIn(`describe.runIf(installed)('g', () => { ${group} });`)).toEqual(['1', '2']);
    const own = [
      "test('[sample 3] x', ({ skip }) => { if (!disk) return skip('no disk'); });",
      "test('[sample 4] x', async (context) => { for (const disk of all) context.skip(!disk); });",
      "test('[sample 5] x', () => { test.skip(!disk, 'no disk'); });",
      "test('[sample 6] x', () => {}); test.skip('[sample 7] x', () => {});",
    ].join('\n');
    expect(conditionalIn(`describe('[sample 8] g', () => { ${own} });`)).toEqual(['3', '4', '5']);
    expect(idsIn(own)).toEqual(['3', '4', '5', '6']);
  });

  test('of another tag are not taken', () => {
    expect(idsIn("test('[other 21] x', () => {});")).toEqual([]);
  });
});

describe('a list of statements', () => {
  test('is read under its headings', () => {
    expect(parseStatements('# 2 Screens\n\n## home\n\n- **2.home.1** The hero.\n')).toEqual([
      { title: '2 Screens', statements: [] },
      { title: 'home', statements: [{ id: '2.home.1', text: 'The hero.' }] },
    ]);
  });

  test('holds an id once', () => {
    expect(() => parseStatements('## a\n- **1** x\n- **1** y')).toThrow('there twice');
  });
});
