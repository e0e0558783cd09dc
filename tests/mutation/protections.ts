/**
 * `npm run protections -- [7 21 …]` takes the protections from these faults, or from all, out of a copy of the
 * shop, one at a time, and runs the fault's tests. A test that passes with the protection must fail without it.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import { POSTGRES_ALONE } from '#tests/vitest.config.ts';
import type { Outcome } from './outcomes.ts';
import { type Protection, readProtections } from './read-protections.ts';
import { browserStep, runStep, vitestStep } from './run-step.ts';

const COPY = resolve('.cache/protections');
const FOLDERS = ['src', 'scripts', 'tests', 'public'];
const FILES = ['package.json', 'package-lock.json', 'astro.config.mjs', 'tsconfig.json', '.gitignore'];
/** Without the protection a test may hang. */
const TIMEOUT_MS = 1_800_000;

/** One failure is enough to see that a protection is needed. */
const AT_FIRST = { vitest: ['--bail=1'], playwright: ['--max-failures=1'] };
const AT_LAST = { vitest: [], playwright: [] };

/** Every fault that a title names as `[fault 7, 21]`. */
const faultsIn = (title: string): string[] =>
  [...title.matchAll(/\[fault ([^\]]+)\]/g)].flatMap(([, ids = '']) => ids.split(/[,\s]+/).filter(Boolean));

/** Where a test runs on both databases, SQLite is enough. It starts in a quarter of the time. */
const projectsFor = (files: readonly string[]): readonly string[] =>
  files.some((file) => POSTGRES_ALONE.some((pattern) => matchesGlob(file, pattern)))
    ? []
    : ['--project=!api-postgres'];

/**
 * Runs the tests of these faults in the copy. The browser tests build their site from the copy, too.
 * @param ending what makes the runners end early
 */
async function run(
  protections: readonly Protection[],
  ending: { readonly vitest: readonly string[]; readonly playwright: readonly string[] },
): Promise<Outcome[]> {
  const faults = `fault [\\d, ]*\\b(?:${protections.map(({ fault }) => fault).join('|')})\\b`;
  const files = Map.groupBy(new Set(protections.map(({ test }) => test)), (file) =>
    file.startsWith('tests/e2e/') ? 'browser' : 'others',
  );
  const tests = { report: '.cache/report.json' };
  const others = files.get('others') ?? [];
  const steps = {
    others: vitestStep({
      ...tests,
      args: [`--testNamePattern=${faults}`, ...projectsFor(others), ...ending.vitest, ...others],
    }),
    browser: browserStep({
      ...tests,
      args: ['--trace=off', `--grep=${faults}`, ...ending.playwright, ...(files.get('browser') ?? [])],
    }),
  };
  const outcomes: Outcome[] = [];
  for (const kind of files.keys()) {
    const result = await runStep({ ...steps[kind], timeoutMs: TIMEOUT_MS }, COPY);
    outcomes.push(...result.outcomes);
  }
  return outcomes;
}

/**
 * What is wrong with a line of the table; undefined when a test of the fault passes with the protection and fails
 * without it.
 * @param baseline the outcomes of the tests with every protection in place
 */
async function problemOf(
  { fault, file, test, from, to }: Protection,
  baseline: readonly Outcome[],
): Promise<string | undefined> {
  const titlesOf = (outcomes: readonly Outcome[], hasPassed: boolean): string[] =>
    outcomes
      .filter((outcome) => outcome.file === test && outcome.passed === hasPassed)
      .flatMap(({ title }) => (faultsIn(title).includes(fault) ? [title] : []));
  const passing = titlesOf(baseline, true);
  if (passing.length === 0) return 'NO TEST PASSES WITH IT';
  const path = join(COPY, file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (!source.includes(from)) return 'NO LONGER IN THIS FILE';
  writeFileSync(path, source.split(from).join(to));
  const failing = titlesOf(await run([{ fault, file, test, from, to }], AT_FIRST), false);
  writeFileSync(path, source);
  return failing.some((title) => passing.includes(title)) ? undefined : 'NO TEST FAILS WITHOUT IT';
}

rmSync(COPY, { recursive: true, force: true });
for (const part of [...FOLDERS, ...FILES]) cpSync(part, join(COPY, part), { recursive: true });
const AUTHOR = ['-c', 'user.name=protections', '-c', 'user.email=protections@localhost'];
// The steps of upgrading clone the shop that they are taken in.
for (const command of [['init'], ['add', '.'], [...AUTHOR, 'commit', '--message=copy']])
  execFileSync('git', ['-C', COPY, ...command], { stdio: 'ignore' });
appendFileSync(join(COPY, '.git/info/exclude'), 'node_modules\n');
symlinkSync(resolve('node_modules'), join(COPY, 'node_modules'));

const all = readProtections();
const faultIds = process.argv.slice(2);
const chosen = all.filter(({ fault }) => faultIds.length === 0 || faultIds.includes(fault));
const baseline = await run(chosen, AT_LAST);
let problems = 0;
for (const protection of chosen) {
  const problem = await problemOf(protection, baseline);
  if (problem) problems += 1;
  const { fault, file, from, test } = protection;
  const shown = from.trim().replace(/\s+/g, ' ').slice(0, 60);
  console.log(`${fault.padStart(3)}  ${problem ?? 'fails'}  ${file}: ${shown}  →  ${test}`);
}
console.log(`${chosen.length - problems} of ${chosen.length} protections are seen to be needed`);
process.exitCode = problems === 0 ? 0 : 1;
