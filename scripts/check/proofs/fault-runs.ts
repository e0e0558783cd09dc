import { mkdir, rm } from 'node:fs/promises';
import type { Outcome } from '#scripts/check/outcomes.ts';
import { runStep } from '#scripts/check/run-step.ts';
import {
  browserStep,
  buildTestSite,
  ensureChromium,
  ensureWebServers,
  type Step,
  TEST_SITE,
  vitestStep,
} from '#scripts/check/steps.ts';
import { readProofs } from './coverage.ts';
import type { Proof } from './proofs.ts';
import type { Statement } from './statements.ts';
import { failuresOf, type RunFailure, tallyOf } from './tally.ts';

type Run = { outcomes: Outcome[]; failures: RunFailure[] };

const REPORTS = '.cache/faults';
const SHOWN_LINES = 20;

const isBrowserTest = (file: string): boolean => /^tests\/e2e\//.test(file);

/** Runs every test that names a fault once. Traces are off, because they would cost a quarter of the time. */
const stepsOf = (run: number, files: readonly string[]): Step[] => {
  const folder = `${REPORTS}/${run}`;
  return [
    vitestStep({
      name: 'Vitest',
      report: `${folder}/vitest.json`,
      args: ['--testNamePattern=\\[fault ', ...files.filter((file) => !isBrowserTest(file))],
    }),
    browserStep({
      name: 'Playwright',
      report: `${folder}/browser.json`,
      args: ['--grep=\\[fault ', '--trace=off', `--output=${folder}/failed`, ...files.filter(isBrowserTest)],
      site: process.env.SITE_DIST || TEST_SITE,
    }),
  ];
};

const failureLines = ({ run, file, title, message }: RunFailure): string[] => [
  `  ✗ run ${run}: ${file} › ${title}`,
  ...message
    .split('\n')
    .slice(0, SHOWN_LINES)
    .map((line) => `        ${line}`),
];

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

const prepare = async (): Promise<void> => {
  await rm(REPORTS, { recursive: true, force: true });
  const needed = [ensureChromium, ensureWebServers];
  for (const step of process.env.SITE_DIST ? needed : [...needed, buildTestSite]) {
    const { ok, output } = await runStep(step);
    if (!ok) throw new Error(`'${step.name}' failed.\n${output}`);
  }
};

/** Runs everything once. Returns the outcome of every test, and the failures. */
const runOnce = async (run: number, proofs: readonly Proof[]): Promise<Run> => {
  const files = [...new Set(proofs.map(({ file }) => file))].toSorted();
  const outcomes: Outcome[] = [];
  const broken: RunFailure[] = [];
  await mkdir(`${REPORTS}/${run}`, { recursive: true });
  // Vitest and Playwright run side by side, because both mostly wait.
  const results = await Promise.all(
    stepsOf(run, files).map(async (step) => ({ step, ...(await runStep(step)) })),
  );
  for (const { step, ...result } of results) {
    outcomes.push(...result.outcomes);
    if (!result.ok && result.outcomes.every(({ passed }) => passed))
      broken.push({ run, file: step.tool, title: step.name, message: result.output.slice(-2_000) });
  }
  return { outcomes, failures: [...failuresOf('fault', run, outcomes, proofs), ...broken] };
};

const tallyLine = ({ id }: Statement, runs: readonly Run[]): string => {
  const { tests, wholeRuns } = tallyOf(
    'fault',
    id,
    runs.map(({ outcomes }) => outcomes),
  );
  const mark = wholeRuns === runs.length ? '✓' : '✗';
  return `  ${mark} ${id.padStart(2)}  ${String(tests).padStart(3)} tests, all passed in ${wholeRuns} of ${runs.length} runs`;
};

/**
 * Runs every test that names a fault `count` times without retries, on a site that is built once (or on SITE_DIST).
 * Prints for each fault in how many runs all its tests passed. Returns false when a test failed or did not run.
 */
export const runFaults = async (faults: readonly Statement[], count: number): Promise<boolean> => {
  await prepare();
  const proofs = await readProofs('fault');
  const runs: Run[] = [];
  for (let run = 1; run <= count; run += 1) {
    const started = performance.now();
    const { outcomes, failures } = await runOnce(run, proofs);
    const passed = outcomes.filter((outcome) => outcome.passed).length;
    const seconds = Math.round((performance.now() - started) / 1000);
    print([
      `run ${run} of ${count}: ${passed} passed, ${failures.length} failed, ${seconds} s`,
      ...failures.flatMap(failureLines),
    ]);
    runs.push({ outcomes, failures });
  }
  const failures = runs.flatMap((run) => run.failures);
  print([
    '',
    ...faults.map((fault) => tallyLine(fault, runs)),
    '',
    ...failures.flatMap(failureLines),
    `${failures.length} failures in ${count} runs.`,
  ]);
  return failures.length === 0;
};
