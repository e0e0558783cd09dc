import { readFile } from 'node:fs/promises';
import { modeOf, printCoverage } from './coverage.ts';
import { parseStatements } from './statements.ts';

const faults = parseStatements(await readFile('tests/spec/faults.md', 'utf8'));
const complete = await printCoverage('fault', faults, modeOf(process.argv));
process.exitCode = complete ? 0 : 1;
