import { defineConfig } from 'vitest/config';

/** Runs the tests of the modules that Stryker changes. They need no server, no browser and no build. */
export default defineConfig({
  test: {
    include: ['tests/unit/{domain,api,stores}/**/*.test.ts'],
    setupFiles: 'tests/support/unit-setup.ts',
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
