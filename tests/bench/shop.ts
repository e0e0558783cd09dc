import { join } from 'node:path';
import type { Browser, LaunchOptions } from 'playwright';
import { chromium } from 'playwright';
import { startTestApi } from '#tests/support/api.ts';
import { chromiumArgs, findChromium } from '#tests/support/find-chromium.ts';
import { build, HERE } from './builds.ts';

const SITE = '.cache/test-dist';
const REACH_API = new URL('../support/reach-api.ts', import.meta.url).href;

/**
 * Builds the demo shop of this commit, unless SITE_DIST names one that is built, and of another commit if there is
 * one to compare with. Returns the folders of the sites.
 */
export async function buildSites(other: string | undefined): Promise<string[]> {
  const api = await startTestApi();
  const siteOf = async (folder: string): Promise<string> => {
    const target = join(folder, SITE);
    const env = {
      OUT_DIR: target,
      PUBLIC_API_HOST: '',
      PUBLIC_IDEMPOTENCY_KEYS: 'true',
      NODE_OPTIONS: `--import=${REACH_API}`,
      REACH_API: api.url,
    };
    await build(folder, env, join(HERE, '.cache/bench-usage'));
    return target;
  };
  const sites = [process.env.SITE_DIST || (await siteOf(HERE))];
  if (other !== undefined) sites.push(await siteOf(other));
  await api.close();
  return sites;
}

/** Launches a Chromium in which http://localhost:8044 is the API at `apiUrl`. */
export function launchBrowser(
  apiUrl: string,
  { args = [], ...options }: LaunchOptions = {},
): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...chromiumArgs, `--host-resolver-rules=MAP localhost:8044 ${new URL(apiUrl).host}`, ...args],
    ...options,
  });
}

/** A phone that has never seen the shop. */
export const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  serviceWorkers: 'block',
  ignoreHTTPSErrors: true,
} as const;
