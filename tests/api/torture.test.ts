import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRandom } from '#tests/fuzz/random.ts';
import { type ApiProcess, startProcess } from '#tests/torture/child.ts';
import { reconcile } from '#tests/torture/reconcile.ts';
import { createShoppers } from '#tests/torture/shoppers.ts';

const SEED = 78;
const KILLS = 10;
const SHOPPERS = 8;
/** After it listens. */
const LONGEST_LIFE_MS = 400;

let folder: string;
let database: string;
let api: ApiProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'torture-'));
  database = join(folder, 'shop.sqlite');
  api = await startProcess(database);
});

afterEach(async () => {
  await api.kill();
  rmSync(folder, { recursive: true });
});

// A taste of `npm run torture`.
it(`[fault 78] kill -9 at ${KILLS} random moments of seed ${SEED}: no answered order lost, none twice, no orphan`, async () => {
  const random = createRandom(SEED);
  const shoppers = createShoppers(SHOPPERS, () => api.url);
  await shoppers.signIn();
  const work = shoppers.shop();
  await expect.poll(() => shoppers.acknowledged().length).toBeGreaterThan(0);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(random.below(LONGEST_LIFE_MS));
    await api.kill();
    api = await startProcess(database);
  }
  shoppers.stop();
  await work;
  const { wrong } = reconcile(database, { attempts: shoppers.attempts, listed: await shoppers.listed() });
  expect(Object.entries(wrong).filter(([, count]) => count !== 0)).toEqual([]);
});
