import { readdir, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { MODE_OPTIONS, modeOf, printCoverage } from './coverage.ts';
import { parseStatements } from './statements.ts';

const LISTS = 'tests/spec/statements';

const { values } = parseArgs({ options: MODE_OPTIONS });
const names = (await readdir(LISTS)).filter((name) => name.endsWith('.md')).sort();
const texts = await Promise.all(names.map((name) => readFile(`${LISTS}/${name}`, 'utf8')));
const complete = await printCoverage('spec', parseStatements(texts.join('\n')), modeOf(values));
process.exitCode = complete ? 0 : 1;
