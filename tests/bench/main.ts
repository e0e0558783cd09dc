/** `npm run bench [-- bytes taps …]`: every figure of the bars beside its bar, and tests/bench/results.json. */
import { writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { measureApi } from './api.ts';
import { measureBuild } from './build.ts';
import { measureBytes } from './bytes.ts';
import { measureJourney } from './journey.ts';
import { measureLargeCart } from './large-cart.ts';
import { type BenchShop, openShop } from './shop.ts';
import { isMet, printTable, type Row } from './table.ts';
import { measureTaps } from './taps.ts';
import { measureTwoTabs } from './two-tabs.ts';
import { measureVitals } from './vitals.ts';

const BENCHES: Readonly<Record<string, (shop: BenchShop) => Promise<Row[]>>> = {
  bytes: measureBytes,
  taps: measureTaps,
  journey: measureJourney,
  'large-cart': measureLargeCart,
  'two-tabs': measureTwoTabs,
  vitals: measureVitals,
  api: measureApi,
};

/** Builds of generated shops: they need neither the shop nor a browser. */
const BUILDS: Readonly<Record<string, () => Promise<Row[]>>> = {
  build: () => measureBuild([1_000, 10_000]),
  'build-1000': () => measureBuild([1_000]),
  'build-50000': () => measureBuild([50_000]),
};

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : ['build', ...Object.keys(BENCHES)];
let shop: BenchShop | undefined;
const rows: Row[] = [];
try {
  for (const name of names) {
    const [bench, build] = [BENCHES[name], BUILDS[name]];
    if (!bench && !build) {
      throw new Error(`No bench '${name}'. There are: ${Object.keys({ ...BUILDS, ...BENCHES }).join(', ')}.`);
    }
    console.log(`measuring ${name} …`);
    if (build) rows.push(...(await build()));
    if (!bench) continue;
    shop ??= await openShop();
    rows.push(...(await bench(shop)));
  }
} finally {
  await shop?.close();
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
