/**
 * `npm run bench [-- bytes taps …]` prints every figure beside its bar and writes tests/bench/results.json.
 * `--against=COMMIT` also builds that commit and visits both in turns; it prints the results and does not store them.
 * `--worse` makes the pages worse on purpose, to see that the figures show it.
 * `--rounds=1` lets `shopper` take each visit once, to see that it works.
 */
import { writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureApi } from './api.ts';
import { measureBuild } from './build.ts';
import { measureBytes } from './bytes.ts';
import { checkOut } from './commits.ts';
import { measureDictionary } from './dictionary.ts';
import { measureEarlyTaps } from './early-taps.ts';
import { measureJourney } from './journey.ts';
import { measureLargeCart } from './large-cart.ts';
import { measureShifts } from './shifts.ts';
import { type BenchShop, openShop } from './shop.ts';
import { measureShopper } from './shopper.ts';
import { measureSlowLine } from './slow-line.ts';
import { printTable, type Row, verdictOf } from './table.ts';
import { measureTaps } from './taps.ts';
import { measureThrottled } from './throttled.ts';
import { measureVisit } from './visit.ts';
import { measureVitals } from './vitals.ts';

const { values, positionals } = parseArgs({
  options: {
    worse: { type: 'boolean', default: false },
    against: { type: 'string' },
    rounds: { type: 'string' },
  },
  allowPositionals: true,
});
const { worse, against, rounds } = values;
const other = against === undefined ? undefined : await checkOut(against);

let opened: Promise<BenchShop> | undefined;
const withShop = (measure: (shop: BenchShop) => Promise<Row[]>) => async (): Promise<Row[]> => {
  opened ??= openShop({ worse, other });
  return measure(await opened);
};

const PAGES = {
  bytes: withShop(measureBytes),
  dictionary: withShop(measureDictionary),
  visit: withShop(measureVisit),
  throttled: withShop(measureThrottled),
  'early-taps': withShop(measureEarlyTaps),
  taps: withShop(measureTaps),
  journey: withShop(measureJourney),
  shifts: withShop(measureShifts),
  'large-cart': withShop(measureLargeCart),
  vitals: withShop(measureVitals),
};
const REST = {
  'slow-line': withShop((shop) => measureSlowLine(shop, rounds ? Number(rounds) : undefined)),
  shopper: withShop((shop) => measureShopper(shop, rounds ? Number(rounds) : undefined)),
  api: () => measureApi(other),
  build: () => measureBuild(10_000, other),
};
const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  ...PAGES,
  ...REST,
  'build-50000': () => measureBuild(50_000, other),
};

const [load = 0] = loadavg();
console.log(`load of the machine before: ${load.toFixed(1)} on ${cpus().length} cores`);

const isWhole = positionals.length === 0 && !worse && !against;
const names = positionals.length > 0 ? positionals : Object.keys(worse ? PAGES : { ...PAGES, ...REST });
const rows: Row[] = [];
try {
  for (const name of names) {
    const measure = BENCHES[name];
    if (!measure) throw new Error(`No bench '${name}'. There are: ${Object.keys(BENCHES).join(', ')}.`);
    console.log(`measuring ${name} …`);
    const measured = await measure();
    rows.push(...measured);
    // The whole takes most of an hour: what is known is told at once.
    if (names.length > 1) printTable(measured);
  }
} finally {
  await (await opened)?.close();
}
console.log('');
printTable(rows);

const machine = {
  date: new Date().toISOString(),
  node: process.version,
  platform: `${platform()} ${arch()}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
};
if (isWhole) {
  writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
}
const count = (verdict: string): number => rows.filter((row) => verdictOf(row) === verdict).length;
const missed = count('NOT MET');
console.log(`${missed} bars not met, ${count('within a tenth')} more missed by less than a tenth`);
process.exitCode = missed === 0 ? 0 : 1;
