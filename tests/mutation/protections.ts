/**
 * `npm run mutation:protections [-- 11 25 …]`: takes one protection away at a time, in a copy, and runs the tests of its
 * fault, which passed there before: each must fail. What is listed in the tables was seen to fail.
 */
import type { Outcome } from '#scripts/check/outcomes.ts';
import { idsIn } from '#scripts/check/proofs.ts';
import { runStep } from '#scripts/check/run-step.ts';
import { type Step, vitestStep } from '#scripts/check/steps.ts';
import type { Protection } from './protection.ts';
import { PROTECTIONS } from './protections/all.ts';
import { createSandbox, lineOf, takeAway } from './sandbox.ts';
import { verdictOf } from './verdict.ts';

const PATIENCE_MS = 180_000;

const sandbox = createSandbox('protections');

/** The tests of these protections' faults, in the files that are named for them. */
function stepOf(protections: readonly Protection[], more: Partial<Step> = {}, ...args: string[]): Step {
  const faults = protections.map(([fault]) => fault);
  const files = new Set(protections.map(([, , , , test]) => test));
  const pattern = `--testNamePattern=fault [\\d, ]*\\b(?:${faults.join('|')})\\b`;
  return {
    ...vitestStep({ name: 'tests', report: '.cache/report.json', args: [...args, pattern, ...files] }),
    ...more,
  };
}

const run = async (step: Step): Promise<Outcome[]> => (await runStep(step, sandbox)).outcomes;

const asked = process.argv.slice(2).map(Number);
const wanted = PROTECTIONS.filter(([fault]) => asked.length === 0 || asked.includes(fault));
const unbroken = await run(stepOf(wanted));
let seen = 0;
for (const protection of wanted) {
  const [fault, , , , test] = protection;
  const isOfFault = ({ file, title }: Outcome): boolean =>
    file === test && idsIn('fault', title).includes(String(fault));
  const putBack = takeAway(sandbox, protection);
  const broken = await run(stepOf([protection], { patienceMs: PATIENCE_MS }, '--bail=1'));
  putBack();
  const verdict = verdictOf(unbroken.filter(isOfFault), broken.filter(isOfFault));
  if (verdict.seen) seen += 1;
  console.log(lineOf(protection, verdict.word, verdict.why || test));
}
console.log(`${seen} of ${wanted.length} seen to fail, and to pass unbroken`);
process.exitCode = seen === wanted.length ? 0 : 1;
