import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run contract`: the contract's tests against the backend that contract.ts was given. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  cacheDir: '.cache/vitest-contract',
  test: {
    include: ['tests/contract/*.test.ts'],
    setupFiles: 'tests/contract/support/remote.ts',
    // It names each test, and what a skipped one needs.
    reporters: ['verbose'],
    // One test after the other: the tests may share two customers, and a stranger's backend is not for load.
    fileParallelism: false,
    isolate: false,
    testTimeout: 60_000,
  },
});
