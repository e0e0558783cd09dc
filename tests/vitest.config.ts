import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findPostgres } from './support/postgres-cluster.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The contract's tests, too, on the reference API; `npm run contract` runs them on any other. */
const API_TESTS = ['tests/{server,contract}/**/*.test.ts'];

/**
 * Of the API's tests, those that run on PostgreSQL, too: where its locks, its order of rows or its own kinds of values
 * decide. All other SQL is typed and written by Kysely, once for both.
 */
const WITH_POSTGRES = [
  'contract/orders',
  'server/app/torture',
  'server/catalogue/product-pages',
  'server/customers/change-account',
  'server/db/backup',
  'server/db/clock-watch',
  'server/email/*',
  'server/fulfilment/admin-pages',
  'server/fulfilment/batches',
  'server/fulfilment/cancel',
  'server/fulfilment/expire',
  'server/fulfilment/new-order',
  'server/fulfilment/returns',
  'server/fulfilment/tracking',
  'server/ledger/*',
  'server/limits/counts',
  'server/orders/*',
  'server/payments/payment-pages',
  'server/payments/sandbox',
  'server/privacy/*',
  'server/staff/second-factor',
  'server/staff/staff-pages',
  'server/stock/*',
].map((name) => `tests/${name}.test.ts`);
const renamed = WITH_POSTGRES.filter((path) => globSync(path, { cwd: root }).length === 0);
if (renamed.length > 0) throw new Error(`No test has one of these names any more: ${renamed.join(', ')}.`);
export const POSTGRES_ALONE = [
  'tests/server/db/{copy,postgres}.test.ts',
  'tests/server/app/many-processes.test.ts',
];

/** Unit tests of what a page has once: its stores and its DOM. */
const WITH_STATE = ['tests/unit/{components,stores}/**/*.test.ts'];

/** They mock a module, which would leak into other files. */
const WITH_MOCKS = ['tests/server/customers/calls.test.ts'];

/** The files share their modules, because loading the API for each took as long as the tests. */
const API = { environment: 'node', isolate: false } as const;

/** In ms. */
const HANGS = 600_000;

const hasPostgres = findPostgres() !== undefined;

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
