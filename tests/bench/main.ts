/**
 * `npm run bench [-- bytes taps …]`: every figure of the bars beside its bar, and tests/bench/results.json. With `--worse`
 * the pages are worse on purpose, to see that the figures tell it.
 */
import { writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureApi } from './api.ts';
import { measureBuild } from './build.ts';
import { measureBytes } from './bytes.ts';
import { measureJourney } from './journey.ts';
import { measureLargeCart } from './large-cart.ts';
import { measurePatterns } from './patterns.ts';
import { type BenchShop, openShop } from './shop.ts';
import { isMet, printTable, type Row } from './table.ts';
import { measureTaps } from './taps.ts';
import { measureTwoTabs } from './two-tabs.ts';
import { measureVitals } from './vitals.ts';

const { values, positionals } = parseArgs({
  options: { worse: { type: 'boolean', default: false } },
  allowPositionals: true,
});

let opened: Promise<BenchShop> | undefined;
const inShop = (measure: (shop: BenchShop) => Promise<Row[]>) => async (): Promise<Row[]> => {
  opened ??= openShop(values);
  return measure(await opened);
};

const PAGES = {
  bytes: inShop(measureBytes),
  taps: inShop(measureTaps),
  journey: inShop(measureJourney),
  'large-cart': inShop(measureLargeCart),
  'two-tabs': inShop(measureTwoTabs),
  vitals: inShop(measureVitals),
};
const REST = {
  api: inShop(measureApi),
  patterns: async () => measurePatterns(),
  // The larger shop first: deleting the files of one makes it slow to write those of the next.
  build: () => measureBuild([10_000, 1_000]),
};
const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  ...PAGES,
  ...REST,
  'build-1000': () => measureBuild([1_000]),
  'build-50000': () => measureBuild([50_000]),
};

const isWhole = positionals.length === 0 && !values.worse;
const names = positionals.length > 0 ? positionals : Object.keys(isWhole ? { ...PAGES, ...REST } : PAGES);
const rows: Row[] = [];
try {
  for (const name of names) {
    const measure = BENCHES[name];
    if (!measure) throw new Error(`No bench '${name}'. There are: ${Object.keys(BENCHES).join(', ')}.`);
    console.log(`measuring ${name} …`);
    const measured = await measure();
    rows.push(...measured);
    // The whole takes ten minutes: what is known is told at once.
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
const missed = rows.filter((row) => !isMet(row));
console.log(missed.length === 0 ? 'every bar met' : `${missed.length} bars not met`);
process.exitCode = missed.length === 0 ? 0 : 1;
