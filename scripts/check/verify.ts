/**
 * `npm test` runs every check; `npm test -- code`, `npm test -- servers` and `npm test -- browser --shard=1/3` run one
 * part, after the quick checks.
 */
import { mkdir, rm } from 'node:fs/promises';
import { runStep } from './run-step.ts';
import { parts, quick, REPORTS, type Step, sideBySide } from './steps.ts';

let [allPassed, allFailed] = [0, 0];
let isGood = true;

/** Runs a step and tells of it in one piece, because another list may be telling of its own. */
async function run(step: Step): Promise<void> {
  const started = performance.now();
  const { ok, output, outcomes } = await runStep(step);
  const failures = outcomes.filter(({ passed }) => !passed);
  const passed = outcomes.length - failures.length;
  allPassed += passed;
  allFailed += failures.length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  const tests = step.report ? `  ${passed} passed, ${failures.length} failed` : '';
  const lines = [`${step.name.padEnd(22)}${ok ? 'ok  ' : 'FAIL'} ${seconds} s${tests}`];
  if (ok && step.isShown && output) lines.push(output.trimEnd().replace(/^(?=.)/gm, '  '));
  if (ok)
    for (const { file, title } of failures) lines.push(`  passed only when asked again: ${file} › ${title}`);
  else lines.push('', output.trimEnd(), '', `'${step.name}' failed.`);
  process.stdout.write(`${lines.join('\n')}\n`);
  isGood &&= ok;
}

/** Runs the steps one after the other, up to the first failure in any list. */
async function runInOrder(steps: readonly Step[]): Promise<void> {
  for (const step of steps) if (isGood) await run(step);
}

await rm(REPORTS, { recursive: true, force: true });
await mkdir(REPORTS, { recursive: true });
const [, , part = '', ...args] = process.argv;
const isPart = (name: string): name is keyof typeof parts => Object.hasOwn(parts, name);
await runInOrder(quick);
await Promise.all((isPart(part) ? [parts[part](args)] : sideBySide).map(runInOrder));
process.stdout.write(`${allPassed} passed, ${allFailed} failed\n`);
process.exitCode = isGood ? 0 : 1;
