import { expect, it, onTestFinished } from 'vitest';
import { torture } from '#tests/torture/run.ts';
import { STORAGES } from '#tests/torture/storage.ts';

const SEED = 78;
const KILLS = 5;

// A short run of `npm run torture`.
it(`kill -9 at ${KILLS} random moments of seed ${SEED}: no confirmed order lost, none twice, no orphan`, async () => {
  const storage = await STORAGES.sqlite();
  onTestFinished(storage.remove);
  const { wrong, complaints } = await torture(storage, {
    processes: 1,
    strikes: KILLS,
    shoppers: 8,
    seed: SEED,
  });
  expect(complaints).toEqual([]);
  expect(Object.entries(wrong).filter(([, count]) => count !== 0)).toEqual([]);
});
