import { fileURLToPath } from 'node:url';
import { defineConfig } from 'playwright/test';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Playwright is only the test runner here. The browsers are this machine's own, each driven by its own client. */
export default defineConfig({
  testDir: at('.'),
  outputDir: at('../../test-results/engines'),
  globalSetup: at('../support/build-site.ts'),
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 30_000, toPass: { timeout: 30_000 } },
  reporter: [['list']],
  projects: [{ name: 'firefox' }, { name: 'webkit' }],
});
