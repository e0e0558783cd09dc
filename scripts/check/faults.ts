import { readFile } from 'node:fs/promises';
import { printCoverage } from './coverage.ts';
import { parseStatements } from './statements.ts';

const faults = parseStatements(await readFile('tests/spec/faults.md', 'utf8'));
const complete = await printCoverage('fault', faults, process.argv.includes('--missing'));
process.exitCode = complete ? 0 : 1;
