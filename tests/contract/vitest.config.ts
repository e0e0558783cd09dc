import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run contract`: the contract's tests against the given backend. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  cacheDir: '.cache/vitest-contract',
  test: {
    include: ['tests/contract/*.test.ts'],
    setupFiles: 'tests/contract/support/remote.ts',
    // Lists each test, and what a skipped one needs.
    reporters: ['verbose'],
    // One test at a time: the tests may share two customers, and another team's backend must not be loaded.
    fileParallelism: false,
    isolate: false,
    testTimeout: 60_000,
  },
});
