import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/* The statements that the tests of the API use on SQLite, a file for each test file, until the next run. */

const FOLDER = '.cache/statements';
const Statements = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** Vitest runs this before the tests of the project `api`. */
export default function eraseStatements(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
}

export const keepStatements = (name: string, statements: Iterable<string>): void =>
  writeFileSync(join(FOLDER, `${name}.json`), JSON.stringify([...statements]));

/** Every statement once, sorted. */
export const readStatements = (): string[] =>
  [
    ...new Set(
      readdirSync(FOLDER).flatMap((file) => v.parse(Statements, readFileSync(join(FOLDER, file), 'utf8'))),
    ),
  ].sort();
