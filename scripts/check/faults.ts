/** `npm run faults [-- --missing | --ids | --runs=20]`: the 93 faults with the tests that prove each, or those tests run. */
import { readFile } from 'node:fs/promises';
import { modeOf, printCoverage } from './coverage.ts';
import { runFaults } from './fault-runs.ts';
import { parseStatements } from './statements.ts';

const faults = parseStatements(await readFile('tests/spec/faults.md', 'utf8'));
const runs = /^--runs=([1-9]\d*)$/m.exec(process.argv.join('\n'))?.[1];
const isGood = runs
  ? await runFaults(
      faults.flatMap(({ statements }) => statements),
      Number(runs),
    )
  : await printCoverage('fault', faults, modeOf(process.argv));
process.exitCode = isGood ? 0 : 1;
