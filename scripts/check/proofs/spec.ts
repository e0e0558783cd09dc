/** `npm run spec [-- --missing | --ids]`: every statement of the specification with the tests that prove it. */
import { parseArgs } from 'node:util';
import { MODE_OPTIONS, modeOf, printCoverage } from './coverage.ts';
import { readList } from './statements.ts';

const { values } = parseArgs({ options: MODE_OPTIONS });
process.exitCode = (await printCoverage('spec', await readList('spec'), modeOf(values))) ? 0 : 1;
