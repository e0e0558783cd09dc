/** Checks that everything that comments, tests and Markdown files cite is in this repository. */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Group, readList } from '#scripts/check/proofs/statements.ts';
import { type CitableIds, findBroken } from './find-citations.ts';

const FILES = [
  '{src,scripts,tests}/**/*.{ts,tsx,astro,css,md}',
  '.github/**/*.{md,yml}',
  '{README.md,astro.config.mjs}',
];

const idsOf = (groups: readonly Group[]): string[] =>
  groups.flatMap(({ statements }) => statements.map(({ id }) => id));

/** The section numbers in the titles: 2 of '# 2 Screens and routes'. */
const sectionsOf = (groups: readonly Group[]): string[] =>
  groups.flatMap(({ title }) => /^\d+(?= )/.exec(title) ?? []);

const readCitableIds = async (): Promise<CitableIds> => {
  const spec = await readList('spec');
  return new Map([
    ['spec', new Set([...sectionsOf(spec), ...idsOf(spec)])],
    ['section', new Set(sectionsOf(spec))],
    ['fault', new Set(idsOf(await readList('fault')))],
    ['resolution', new Set(idsOf(await readList('resolution')))],
  ]);
};

/** A path may be relative to the top of the repository or to the file that cites it. */
const exists = (path: string, from: string): boolean =>
  existsSync(path) || existsSync(join(dirname(from), path));

const citableIds = await readCitableIds();
let count = 0;
// A policy's links lead to pages of the shop.
for await (const file of glob(FILES, { exclude: ['**/policies/*.md'] }))
  for (const { line, cites } of findBroken(file, await readFile(file, 'utf8'), citableIds, exists)) {
    console.log(`${file}:${line} cites ${cites}, which is not here.`);
    count += 1;
  }
process.exitCode = count === 0 ? 0 : 1;
