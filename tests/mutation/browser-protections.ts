/**
 * `npm run mutation:browser [-- 29 44 …]`: takes protections away that only a browser sees, a group of them in one build
 * of a copy. Each test named in the table must fail.
 */
import { spawnSync } from 'node:child_process';
import type { BrowserProtection } from './protection.ts';
import { BROWSER } from './protections/browser.ts';
import { createSandbox, lineOf, takeAway } from './sandbox.ts';

const escaped = (text: string): string => text.replace(/[[\]().]/g, '\\$&');

/** Runs the test of each. Returns what Playwright prints. */
function runTests(sandbox: string, protections: readonly BrowserProtection[]): string {
  const titles = protections.map(([, , , , , title]) => escaped(title));
  const files = new Set(protections.map(([, , , , test]) => test));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/playwright/cli.js',
      'test',
      '--config=tests/playwright.config.ts',
      `--grep=${titles.join('|')}`,
      ...files,
    ],
    { cwd: sandbox, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', SITE_DIST: '' } },
  );
  return stdout + stderr;
}

const asked = process.argv.slice(2).map(Number);
const isWanted = ([fault]: BrowserProtection): boolean => asked.length === 0 || asked.includes(fault);
const groups = BROWSER.map((group) => group.filter(isWanted)).filter((group) => group.length > 0);
let unseen = 0;
for (const group of groups) {
  const sandbox = createSandbox('browser-protections');
  for (const protection of group) takeAway(sandbox, protection);
  const output = runTests(sandbox, group);
  for (const protection of group) {
    const [, , , , , title] = protection;
    const line = output.split('\n').find((each) => /^ +[✘✓x] /.test(each) && each.includes(title));
    const failed = /^ +[✘x] /.test(line ?? '');
    if (!failed) unseen += 1;
    console.log(lineOf(protection, failed ? 'fails' : line ? 'NOT SEEN' : 'NOT RUN', title));
    if (!line) console.log(output.slice(-3_000));
  }
}
console.log(`${groups.flat().length - unseen} of ${groups.flat().length} seen to fail in a browser`);
process.exitCode = unseen === 0 ? 0 : 1;
