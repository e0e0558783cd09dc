import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readProtections } from '#tests/mutation/read-protections.ts';

it('every line of the table of protections still stands in its file, and its tests are there', () => {
  const table = readProtections();
  expect(table.length).toBeGreaterThan(150);
  const lost = table.filter(
    ({ file, from, test }) =>
      from === '' || !existsSync(test) || !existsSync(file) || !readFileSync(file, 'utf8').includes(from),
  );
  expect(lost.map(({ fault, file, from }) => `${fault} ${file}: ${from}`)).toEqual([]);
});
