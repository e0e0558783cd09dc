import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findPostgres } from './support/find-postgres.ts';

/** The contract's tests, too, on the reference API; `npm run contract` runs them on any other. */
const API_TESTS = ['tests/{api,contract}/**/*.test.ts'];

/** Of the API's tests, those about one database's own ways, and an hour of a shop. */
const SQLITE_ALONE = [
  'tests/api/db/{storage,wal-fault}.test.ts',
  'tests/api/app/{schemas,stalls,torture}.test.ts',
  'tests/api/customers/shared-address.test.ts',
];
const POSTGRES_ALONE = [
  'tests/api/db/{copy,postgres}.test.ts',
  'tests/api/app/{many-processes,torture-postgres}.test.ts',
];

const hasPostgres = findPostgres() !== undefined;

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  cacheDir: '.cache/vitest',
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    passWithNoTests: true,
    // Only what hangs fails by the clock: CI may be far slower than the machine a test was written on.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      // A store or DOM test opts into jsdom with `// @vitest-environment jsdom` in its first line.
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/support/drop-timers.ts', 'tests/support/no-offers.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'publish',
          environment: 'node',
          include: ['tests/publish/**/*.test.ts'],
          testTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          environment: 'node',
          include: API_TESTS,
          exclude: POSTGRES_ALONE,
          testTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'api-postgres',
          environment: 'node',
          include: hasPostgres ? API_TESTS : [],
          exclude: SQLITE_ALONE,
          globalSetup: hasPostgres ? ['tests/api/support/postgres-global.ts'] : [],
          setupFiles: 'tests/api/support/postgres-setup.ts',
          testTimeout: 240_000,
        },
      },
    ],
  },
});
