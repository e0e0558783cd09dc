import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type Outcome, readOutcomes } from './outcomes.ts';
import type { Step } from './steps.ts';

export type StepResult = { ok: boolean; output: string; outcomes: Outcome[] };

const runTool = ({ tool, args, env }: Step): Promise<{ ok: boolean; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tool, ...args], {
      env: { ...process.env, NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() }));
  });

/** Runs a step's tool to its end and reads what it reports of tests. Not ok where it ends with another code than 0. */
export const runStep = async (step: Step): Promise<StepResult> => {
  const result = await runTool(step);
  const report = step.report ? await readFile(step.report, 'utf8').catch(() => '') : '';
  return { ...result, outcomes: readOutcomes(report) };
};
