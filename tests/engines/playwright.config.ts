import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'playwright/test';
import { findEngines } from './programs.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Playwright is only the test runner here. The browsers are this machine's own, each driven by its own client. */
export default defineConfig({
  testDir: at('.'),
  outputDir: at('../../test-results/engines'),
  globalSetup: at('../support/build-site.ts'),
  fullyParallel: true,
  workers: Math.min(availableParallelism(), 4),
  forbidOnly: !!process.env.CI,
  // For what hangs, not for what is slow.
  timeout: 900_000,
  expect: { timeout: 150_000, toPass: { timeout: 150_000 } },
  reporter: [['list']],
  // In Chromium, tests/e2e proves these.
  projects: Object.keys(findEngines()).map((name) => ({
    name,
    ...(name === 'chromium' && { grepInvert: /on a first visit|service worker in control/ }),
  })),
});
