import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Outcome, readOutcomes } from './outcomes.ts';

/** What a test runner needs beside its configuration: the path of its report, and arguments. */
type TestRun = { report: string; args: string[] };

type Step = TestRun & { tool: string; env?: Record<string, string>; timeoutMs?: number };

export const vitestStep = ({ report, args }: TestRun): Step => ({
  tool: 'node_modules/vitest/vitest.mjs',
  args: [
    'run',
    '--config=tests/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ],
  report,
});

/** The tests build their site first. */
export const browserStep = ({ report, args }: TestRun): Step => ({
  tool: 'node_modules/playwright/cli.js',
  args: ['test', '--config=tests/playwright.config.ts', '--reporter=list,json', ...args],
  report,
  env: { SITE_DIST: '', PLAYWRIGHT_JSON_OUTPUT_FILE: report },
});

export type StepResult = { ok: boolean; output: string; outcomes: Outcome[] };

const runTool = (
  { tool, args, env, timeoutMs }: Step,
  root: string,
): Promise<{ ok: boolean; output: string }> =>
  new Promise((done, reject) => {
    const child = spawn(process.execPath, [tool, ...args], {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => done({ ok: code === 0, output: Buffer.concat(chunks).toString() }));
  });

/**
 * Runs a step's tool to its end, in this repository or a copy of it, and reads its report of tests. The result is `ok`
 * when the tool's exit code is 0.
 */
export const runStep = async (step: Step, root = process.cwd()): Promise<StepResult> => {
  const report = resolve(root, step.report);
  await rm(report, { force: true });
  const result = await runTool(step, root);
  const text = await readFile(report, 'utf8').catch(() => '');
  return { ...result, outcomes: readOutcomes(text, root) };
};
