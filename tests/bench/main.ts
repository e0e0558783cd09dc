/** `npm run bench [-- bytes taps …]`: every figure of the bars beside its bar, and tests/bench/results.json. */
import { writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { measureApi } from './api.ts';
import { measureBytes } from './bytes.ts';
import { measureJourney } from './journey.ts';
import { type BenchShop, openShop } from './shop.ts';
import { isMet, printTable, type Row } from './table.ts';
import { measureTaps } from './taps.ts';
import { measureVitals } from './vitals.ts';

const BENCHES: Readonly<Record<string, (shop: BenchShop) => Promise<Row[]>>> = {
  bytes: measureBytes,
  taps: measureTaps,
  journey: measureJourney,
  vitals: measureVitals,
  api: measureApi,
};

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(BENCHES);
const shop = await openShop();
const rows: Row[] = [];
try {
  for (const name of names) {
    const bench = BENCHES[name];
    if (!bench) throw new Error(`No bench '${name}'. There are: ${Object.keys(BENCHES).join(', ')}.`);
    console.log(`measuring ${name} …`);
    rows.push(...(await bench(shop)));
  }
} finally {
  await shop.close();
}
printTable(rows);

const machine = {
  date: new Date().toISOString(),
  node: process.version,
  platform: `${platform()} ${arch()}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
};
if (wanted.length === 0) {
  writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
}
const missed = rows.filter((row) => !isMet(row));
console.log(missed.length === 0 ? 'every bar met' : `${missed.length} bars not met`);
process.exitCode = missed.length === 0 ? 0 : 1;
