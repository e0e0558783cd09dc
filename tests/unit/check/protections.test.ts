import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROTECTIONS } from '#tests/mutation/protections/all.ts';
import { BROWSER } from '#tests/mutation/protections/browser.ts';

const browser = BROWSER.flat();
const all = [...PROTECTIONS, ...browser];
const LAST_FAULT = 93;

it('every fault has a protection that can be taken away', () => {
  const covered = new Set(all.map(([fault]) => fault));
  const faults = Array.from({ length: LAST_FAULT }, (_, index) => index + 1);
  expect(faults.filter((fault) => !covered.has(fault))).toEqual([]);
});

it('every protection still stands in its file', () => {
  const gone = all.filter(([, file, from]) => !readFileSync(file, 'utf8').includes(from));
  expect(gone.map(([fault, file, from]) => `${fault} ${file}: ${from}`)).toEqual([]);
});

it('every test that must fail is there, under the number of its fault', () => {
  const names = (test: string, fault: number): boolean =>
    new RegExp(`fault [\\d, ]*\\b${fault}\\b`).test(readFileSync(test, 'utf8'));
  expect(all.filter(([fault, , , , test]) => !names(test, fault))).toEqual([]);
  const titled = browser.filter(([, , , , test, title]) => readFileSync(test, 'utf8').includes(title));
  expect(titled).toHaveLength(browser.length);
});
