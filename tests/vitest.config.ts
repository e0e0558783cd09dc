import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findPostgres } from './support/postgres-cluster.ts';

/** The contract's tests, too, on the reference API; `npm run contract` runs them on any other. */
const API_TESTS = ['tests/{server,contract}/**/*.test.ts'];

/**
 * Of the API's tests, those that run on PostgreSQL, too: where its locks, its order of rows or its own kinds of values
 * decide. All other SQL is typed and written by Kysely, once for both.
 */
const WITH_POSTGRES = [
  'tests/contract/orders.test.ts',
  'tests/server/app/torture.test.ts',
  'tests/server/catalogue/product-pages.test.ts',
  'tests/server/customers/{change-account,reset-password}.test.ts',
  'tests/server/db/backup.test.ts',
  'tests/server/email/*.test.ts',
  'tests/server/limits/counts.test.ts',
  'tests/server/fulfilment/{batches,tracking-file,cancel,expire,admin-pages,new-order,returns}.test.ts',
  'tests/server/orders/*.test.ts',
  'tests/server/ledger/*.test.ts',
  'tests/server/payments/{payment-pages,sandbox}.test.ts',
  'tests/server/privacy/*.test.ts',
  'tests/server/db/clock-watch.test.ts',
  'tests/server/stock/*.test.ts',
  'tests/server/staff/{second-factor,staff-pages}.test.ts',
];
export const POSTGRES_ALONE = [
  'tests/server/db/{copy,postgres}.test.ts',
  'tests/server/app/many-processes.test.ts',
];

/** Unit tests of what a page has once: its stores and its DOM. */
const WITH_STATE = ['tests/unit/{components,stores}/**/*.test.ts', 'tests/unit/domain/markup.test.ts'];

/** They mock a module, which would leak into other files. */
const WITH_MOCKS = ['tests/server/customers/calls.test.ts'];

/** The files share their modules, because loading the API for each took as long as the tests. */
const API = { environment: 'node', isolate: false } as const;

/** In ms. */
const HANGS = 600_000;

const hasPostgres = findPostgres() !== undefined;

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  cacheDir: '.cache/vitest',
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    passWithNoTests: true,
    // The limit is for hangs: CI may be far slower than the machine a test was written on.
    testTimeout: HANGS,
    hookTimeout: HANGS,
    expect: { poll: { timeout: HANGS } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          // Most of the time goes into loading modules.
          isolate: false,
          include: ['tests/unit/**/*.test.ts'],
          exclude: WITH_STATE,
          setupFiles: 'tests/support/unit-setup.ts',
        },
      },
      // A store or DOM test opts into jsdom with `// @vitest-environment jsdom` in its first line.
      {
        extends: true,
        test: {
          name: 'unit-stores',
          environment: 'node',
          include: WITH_STATE,
          setupFiles: 'tests/support/unit-setup.ts',
        },
      },
      // Reads the built site under test: SITE_DIST, or what `tests/support/build-site.ts` has built.
      {
        extends: true,
        test: { name: 'dist', environment: 'node', include: ['tests/dist/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'publish',
          environment: 'node',
          include: ['tests/publish/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          ...API,
          include: API_TESTS,
          exclude: [...POSTGRES_ALONE, ...WITH_MOCKS],
          setupFiles: 'tests/server/support/database-setup.ts',
          // With a single worker, a project without a number comes last.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'api-mocks',
          ...API,
          isolate: true,
          include: WITH_MOCKS,
          setupFiles: 'tests/server/support/database-setup.ts',
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'api-postgres',
          ...API,
          include: hasPostgres ? [...WITH_POSTGRES, ...POSTGRES_ALONE] : [],
          globalSetup: hasPostgres ? ['tests/server/support/postgres-global.ts'] : [],
          setupFiles: 'tests/server/support/database-setup.ts',
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
