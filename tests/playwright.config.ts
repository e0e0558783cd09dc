import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'playwright/test';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  testDir: at('.'),
  testMatch: 'e2e/**/*.test.ts',
  outputDir: at('../test-results'),
  globalSetup: at('support/build-site.ts'),
  fullyParallel: true,
  // A worker waits for a third of its time, for the page or for a clock.
  workers: Math.min(2 * availableParallelism(), 4),
  forbidOnly: !!process.env.CI,
  // For what hangs, not for what is slow: a shared machine may be six times slower than a developer's.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    // A trace costs as much as the test itself: `npm run test:e2e -- NAME --trace=on` records one.
    screenshot: 'only-on-failure',
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    contextOptions: { reducedMotion: 'reduce' },
    serviceWorkers: 'block',
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true } },
  ],
});
