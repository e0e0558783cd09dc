import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
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

// A taste of `npm run maintain -- torture`.
it(`[fault 78] kill -9 at ${KILLS} random moments of seed ${SEED}: no answered order lost, none twice, no orphan`, async () => {
  const shoppers = createShoppers(SHOPPERS, () => api.url);
  await shoppers.signIn();
  const work = shoppers.shop();
  await expect.poll(() => shoppers.acknowledged().length).toBeGreaterThan(0);
  for (const life of fc.sample(fc.nat(LONGEST_LIFE_MS), { seed: SEED, numRuns: KILLS })) {
    await pause(life);
    await api.kill();
    api = await startProcess(database);
  }
  shoppers.stop();
  await work;
  const { wrong } = reconcile(database, { attempts: shoppers.attempts, listed: await shoppers.listed() });
  expect(Object.entries(wrong).filter(([, count]) => count !== 0)).toEqual([]);
});
