import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

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
          setupFiles: 'tests/support/drop-timers.ts',
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
          include: ['tests/api/**/*.test.ts'],
          testTimeout: 240_000,
        },
      },
    ],
  },
});
