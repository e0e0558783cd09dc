/** `npm run faults [-- --missing | --ids | --runs=20]` lists the faults with the tests that prove them, or runs them. */
import { parseArgs } from 'node:util';
import { MODE_OPTIONS, modeOf, printCoverage } from './coverage.ts';
import { runFaults } from './fault-runs.ts';
import { readList } from './statements.ts';

const { values } = parseArgs({ options: { ...MODE_OPTIONS, runs: { type: 'string' } } });
const faults = await readList('fault');

const runAll = (count: string): Promise<boolean> => {
  if (!/^[1-9]\d*$/.test(count))
    throw new Error(`--runs=${count}: give a whole number from 1, such as --runs=20.`);
  return runFaults(
    faults.flatMap(({ statements }) => statements),
    Number(count),
  );
};

const { runs } = values;
const isGood = runs === undefined ? await printCoverage('fault', faults, modeOf(values)) : await runAll(runs);
process.exitCode = isGood ? 0 : 1;
