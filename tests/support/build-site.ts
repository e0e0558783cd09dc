import { fileURLToPath } from 'node:url';
import { buildSite } from '#scripts/publish/build-site.ts';
import { startTestApi } from './api.ts';

const TEST_SITE = fileURLToPath(new URL('../../.cache/test-dist', import.meta.url));

/** The folder of the site under test: SITE_DIST if it is already built, else the folder where the tests build it. */
export const testSite = process.env.SITE_DIST || TEST_SITE;

/** The environment of a build against a test API, as a shop on localhost. */
export const testBuildEnv = (apiUrl: string): Record<string, string | undefined> => ({
  ...process.env,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('./reach-api.ts', import.meta.url).href}`,
  REACH_API: apiUrl,
  PUBLIC_API_HOST: '',
});

/** Builds the site against a test API. */
export const buildTestSite = async (target = TEST_SITE): Promise<void> => {
  const api = await startTestApi();
  try {
    await buildSite(target, { env: testBuildEnv(api.url) });
  } finally {
    await api.close();
  }
};

/** Playwright runs this before all browser tests. It builds the site, unless SITE_DIST names one that is already built. */
export default async function buildOnce(): Promise<void> {
  if (!process.env.SITE_DIST) await buildTestSite();
}

if (import.meta.main) await buildTestSite();
