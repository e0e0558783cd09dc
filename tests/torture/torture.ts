/**
 * `npm run maintain -- torture [--kills=200] [--seed=1]` kills the real API (`kill -9`) at random moments under load,
 * while shoppers retry with keys as the shop does. Then it looks for every acknowledged order (faults 78).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { type ApiProcess, startProcess } from './child.ts';
import { reconcile, type Verdict } from './reconcile.ts';
import { createShoppers } from './shoppers.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    shoppers: { type: 'string', default: '8' },
  },
});
const kills = Number(values.kills);
/** The longest time from listening to the kill. It is short, so that kills fall into the start and into orders. */
const LONGEST_LIFE_MS = 400;
const lives = fc.sample(fc.nat(LONGEST_LIFE_MS), { seed: Number(values.seed), numRuns: kills });

const folder = mkdtempSync(join(tmpdir(), 'torture-'));
const database = join(folder, 'shop.sqlite');
const started = performance.now();
let api: ApiProcess = await startProcess(database);
const shoppers = createShoppers(Number(values.shoppers), () => api.url);
let verdict: Verdict;
try {
  await shoppers.signIn();
  const work = shoppers.shop();
  for (const [killed, life] of lives.entries()) {
    await pause(life);
    await api.kill();
    api = await startProcess(database);
    if (killed % 20 === 19)
      console.log(`${killed + 1} kills, ${shoppers.acknowledged().length} orders acknowledged`);
  }
  shoppers.stop();
  await work;
  verdict = reconcile(database, { attempts: shoppers.attempts, listed: await shoppers.listed() });
} finally {
  await api.kill();
  rmSync(folder, { recursive: true, force: true });
}

const seconds = ((performance.now() - started) / 1_000).toFixed(0);
console.log(`\n${kills} times kill -9 in ${seconds} s, seed ${values.seed}`);
const counted = { ...verdict.counted, 'answers lost and sent again': shoppers.lostAnswers() };
for (const [what, count] of Object.entries(counted))
  console.log(`${what.padEnd(44)}${String(count).padStart(8)}`);
for (const [what, count] of Object.entries(verdict.wrong))
  console.log(`${what.padEnd(44)}${String(count).padStart(8)}  ${count === 0 ? 'met' : 'NOT MET'}`);
process.exitCode = Object.values(verdict.wrong).every((count) => count === 0) ? 0 : 1;
