/**
 * `npm run maintain -- protections [7 21 …]` takes the protections from these faults, or from all, out of a copy of the
 * shop, one at a time, and runs the fault's tests. A test that passes with the protection must fail without it.
 */
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Outcome } from '#scripts/check/outcomes.ts';
import { idsIn } from '#scripts/check/proofs/proofs.ts';
import { readList } from '#scripts/check/proofs/statements.ts';
import { runStep } from '#scripts/check/run-step.ts';
import { browserStep, vitestStep } from '#scripts/check/steps.ts';

type Protection = Readonly<Record<'fault' | 'file' | 'test' | 'from' | 'to', string>>;

const COPY = resolve('.cache/protections');
const FOLDERS = ['src', 'scripts', 'tests', 'public'];
const FILES = ['package.json', 'package-lock.json', 'astro.config.mjs', 'tsconfig.json'];
/** Without the protection a test may hang. */
const TIMEOUT_MS = 1_800_000;

const linesWith = (sign: string, lines: readonly string[]): string =>
  lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : [])).join('\n');

const readProtections = (table: string): Protection[] =>
  table
    .split(/^@@ /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.split('\n');
      const [fault = '', file = '', test = ''] = head.split(' ');
      return { fault, file, test, from: linesWith('-', lines), to: linesWith('+', lines) };
    });

/** Runs the tests of these faults in the copy. The browser tests build their site from the copy, too. */
async function run(protections: readonly Protection[]): Promise<Outcome[]> {
  const faults = `fault [\\d, ]*\\b(?:${protections.map(({ fault }) => fault).join('|')})\\b`;
  const files = Map.groupBy(new Set(protections.map(({ test }) => test)), (file) =>
    file.startsWith('tests/e2e/') ? 'browser' : 'others',
  );
  const tests = { name: 'tests', report: '.cache/report.json' };
  const steps = {
    others: vitestStep({ ...tests, args: [`--testNamePattern=${faults}`, ...(files.get('others') ?? [])] }),
    browser: browserStep({
      ...tests,
      args: ['--trace=off', `--grep=${faults}`, ...(files.get('browser') ?? [])],
      site: '',
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
      .flatMap(({ title }) => (idsIn('fault', title).includes(fault) ? [title] : []));
  const passing = titlesOf(baseline, true);
  if (passing.length === 0) return 'NO TEST PASSES WITH IT';
  const path = join(COPY, file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (!source.includes(from)) return 'NO LONGER IN THIS FILE';
  writeFileSync(path, source.split(from).join(to));
  const failing = titlesOf(await run([{ fault, file, test, from, to }]), false);
  writeFileSync(path, source);
  return failing.some((title) => passing.includes(title)) ? undefined : 'NO TEST FAILS WITHOUT IT';
}

rmSync(COPY, { recursive: true, force: true });
for (const part of [...FOLDERS, ...FILES]) cpSync(part, join(COPY, part), { recursive: true });
symlinkSync(resolve('node_modules'), join(COPY, 'node_modules'));

const all = readProtections(readFileSync('tests/mutation/protections.diff', 'utf8'));
const faultIds = process.argv.slice(2);
const chosen = all.filter(({ fault }) => faultIds.length === 0 || faultIds.includes(fault));
const baseline = await run(chosen);
let problems = 0;
for (const protection of chosen) {
  const problem = await problemOf(protection, baseline);
  if (problem) problems += 1;
  const { fault, file, from, test } = protection;
  const shown = from.trim().replace(/\s+/g, ' ').slice(0, 60);
  console.log(`${fault.padStart(3)}  ${problem ?? 'fails'}  ${file}: ${shown}  →  ${test}`);
}
const faults = (await readList('fault')).flatMap(({ statements }) => statements);
const missing = faults.filter(({ id }) => all.every(({ fault }) => fault !== id));
for (const { id } of missing) console.log(`${id.padStart(3)}  NO PROTECTION IN THE TABLE`);
console.log(`${chosen.length - problems} of ${chosen.length} protections are seen to be needed`);
process.exitCode = problems + missing.length === 0 ? 0 : 1;
