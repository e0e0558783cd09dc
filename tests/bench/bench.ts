/**
 * `npm run bench [-- slow-line api build]` measures the shop and prints the figures.
 * `--against=COMMIT` also builds that commit in a folder of its own and measures both in turns.
 * `--rounds=1` visits each page on the slow line once, to see that it works.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureApi } from './api.ts';
import { measureBuild } from './build.ts';
import { checkOut } from './builds.ts';
import { buildSites, measureSlowLine } from './slow-line.ts';
import { printTable, type Row } from './table.ts';

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' }, rounds: { type: 'string' } },
  allowPositionals: true,
});
const { against, rounds } = values;
const other = against === undefined ? undefined : await checkOut(against);

const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  'slow-line': async () => measureSlowLine(await buildSites(other), rounds ? Number(rounds) : undefined),
  api: () => measureApi(other),
  build: () => measureBuild(other),
};

const [load = 0] = loadavg();
console.log(`load of the machine before: ${load.toFixed(1)} on ${cpus().length} cores`);
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHES)) {
  const measure = BENCHES[name];
  if (!measure) throw new Error(`No bench '${name}'. There are: ${Object.keys(BENCHES).join(', ')}.`);
  console.log(`\n${name}`);
  printTable(await measure());
}
