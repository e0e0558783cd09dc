import { fileURLToPath } from 'node:url';
import { buildSite } from '#scripts/publish/build-site.ts';
import { startTestApi } from './api.ts';

/** Where the site under test is built. */
export const TEST_SITE = fileURLToPath(new URL('../../.cache/test-dist', import.meta.url));

/** Builds the site against an API of its own, as a shop on localhost with idempotency keys. */
export const buildTestSite = async (target = TEST_SITE): Promise<void> => {
  const api = await startTestApi();
  try {
    await buildSite({
      target,
      env: {
        ...process.env,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('./reach-api.ts', import.meta.url).href}`,
        REACH_API: api.url,
        PUBLIC_API_HOST: '',
        PUBLIC_IDEMPOTENCY_KEYS: 'true',
      },
    });
  } finally {
    await api.close();
  }
};
