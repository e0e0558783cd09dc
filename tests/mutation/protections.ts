/**
 * `npm run mutation:protections [-- 11 25 …]`: takes one protection away at a time, in a copy, and runs the tests of its
 * fault: each must fail. What is listed in the tables was seen to fail.
 */
import { spawnSync } from 'node:child_process';
import { PROTECTIONS } from './protections/all.ts';
import { createSandbox, lineOf, takeAway } from './sandbox.ts';

const PATIENCE_MS = 180_000;

const sandbox = createSandbox('protections');
const asked = process.argv.slice(2).map(Number);
const wanted = PROTECTIONS.filter(([fault]) => asked.length === 0 || asked.includes(fault));
let unseen = 0;
for (const protection of wanted) {
  const [fault, , , , test] = protection;
  const putBack = takeAway(sandbox, protection);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=tests/vitest.config.ts',
      '--bail=1',
      `--testNamePattern=fault [\\d, ]*\\b${fault}\\b`,
      test,
    ],
    { cwd: sandbox, encoding: 'utf8', timeout: PATIENCE_MS, env: { ...process.env, NO_COLOR: '1' } },
  );
  putBack();
  const [, failed] = /FAIL +(.*)/.exec(stdout + stderr) ?? [];
  if (failed === undefined) unseen += 1;
  const title = failed?.split(' > ').at(-1) ?? `${test} ended with ${status}`;
  console.log(lineOf(protection, failed === undefined ? 'NOT SEEN' : 'fails', title));
}
console.log(`${wanted.length - unseen} of ${wanted.length} seen to fail`);
process.exitCode = unseen === 0 ? 0 : 1;
