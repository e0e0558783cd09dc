import { expect, it, onTestFinished } from 'vitest';
import { torture } from '#tests/torture/run.ts';
import { STORAGES } from '#tests/torture/storage.ts';

/** With this seed, the strikes are of every kind. */
const SEED = 10;
const STRIKES = 5;

// A short run of `npm run torture -- --database=postgres --processes=3`, with a PostgreSQL of its own to stop.
it(`three processes on one PostgreSQL, of which one is killed ${STRIKES} times: no confirmed order lost, none twice, no 500`, async () => {
  const storage = await STORAGES.postgres();
  onTestFinished(storage.remove);
  const { counted, wrong, complaints } = await torture(storage, {
    processes: 3,
    strikes: STRIKES,
    shoppers: 4,
    seed: SEED,
  });
  expect(complaints).toEqual([]);
  expect(Object.entries(wrong).filter(([, count]) => count !== 0)).toEqual([]);
  expect(Object.keys(counted).filter((what) => what.startsWith('strikes at'))).toHaveLength(3);
});
