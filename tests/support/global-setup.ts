import { buildTestSite } from './build-site.ts';

/** Builds the site once for all browser tests, unless SITE_DIST names one that is there. */
export const buildOnce = async (): Promise<void> => {
  if (!process.env.SITE_DIST) await buildTestSite();
};

export default buildOnce;
