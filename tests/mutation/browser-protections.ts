/**
 * `npm run mutation:browser [-- 29 44 …]`: takes protections away that only a browser sees, a group of them in one build
 * of a copy. Each test named in the table must fail then, and pass in the same copy as long as nothing is broken.
 */
import type { Outcome } from '#scripts/check/outcomes.ts';
import { runStep } from '#scripts/check/run-step.ts';
import { browserStep } from '#scripts/check/steps.ts';
import type { BrowserProtection } from './protection.ts';
import { BROWSER } from './protections/browser.ts';
import { createSandbox, lineOf, takeAway } from './sandbox.ts';
import { verdictOf } from './verdict.ts';

const escaped = (text: string): string => text.replace(/[[\]().]/g, '\\$&');

/** Builds the copy and runs the test of each. */
async function run(sandbox: string, protections: readonly BrowserProtection[]): Promise<Outcome[]> {
  const titles = protections.map(([, , , , , title]) => escaped(title));
  const files = new Set(protections.map(([, , , , test]) => test));
  const { outcomes, output } = await runStep(
    browserStep({
      name: 'tests',
      report: '.cache/report.json',
      args: ['--trace=off', `--grep=${titles.join('|')}`, ...files],
      site: '',
    }),
    sandbox,
  );
  if (outcomes.every(({ title }) => title === '')) console.log(output.slice(-3_000));
  return outcomes;
}

const asked = process.argv.slice(2).map(Number);
const isWanted = ([fault]: BrowserProtection): boolean => asked.length === 0 || asked.includes(fault);
const groups = BROWSER.map((group) => group.filter(isWanted)).filter((group) => group.length > 0);
const wanted = groups.flat();
const unbroken = await run(createSandbox('browser-protections'), wanted);
let seen = 0;
for (const group of groups) {
  const sandbox = createSandbox('browser-protections');
  for (const protection of group) takeAway(sandbox, protection);
  const broken = await run(sandbox, group);
  for (const protection of group) {
    const [, , , , test, named] = protection;
    const isNamed = ({ file, title }: Outcome): boolean => file === test && title.includes(named);
    const verdict = verdictOf(unbroken.filter(isNamed), broken.filter(isNamed));
    if (verdict.seen) seen += 1;
    console.log(lineOf(protection, verdict.word, verdict.why || named));
  }
}
console.log(`${seen} of ${wanted.length} seen to fail in a browser, and to pass unbroken`);
process.exitCode = seen === wanted.length ? 0 : 1;
