import { expect, it, onTestFinished } from 'vitest';
import { isPostgres } from '#server/settings/settings.ts';
import { emptyDatabase } from '#tests/server/support/databases.ts';
import { torture } from '#tests/torture/run.ts';
import { STORAGES } from '#tests/torture/storage.ts';

/** Short runs of `npm run torture`, which also stop PostgreSQL. */
const RUNS = {
  sqlite: { processes: 1, shoppers: 8, seed: 78, kinds: 1 },
  postgres: { processes: 3, shoppers: 4, seed: 10, kinds: 3 },
};

it('kill -9 at five random moments: no confirmed order is lost, doubled or orphaned', async () => {
  const database = isPostgres(await emptyDatabase()) ? 'postgres' : 'sqlite';
  const { kinds, ...options } = RUNS[database];
  const storage = await STORAGES[database]();
  onTestFinished(storage.remove);
  const { counted, wrong, complaints } = await torture(storage, { ...options, strikes: 5 });
  expect(complaints).toEqual([]);
  expect(Object.entries(wrong).filter(([, count]) => count !== 0)).toEqual([]);
  expect(Object.keys(counted).filter((what) => what.startsWith('strikes at'))).toHaveLength(kinds);
});
