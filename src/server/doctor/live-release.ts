import { resolve } from 'node:path';
import ky from 'ky';
import * as v from 'valibot';
import { BUILD_INFO, currentRelease } from '#server/process/publishing.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { PUBLISH } from '#server/settings/settings.ts';
import type { Check } from './check.ts';
import { isReserved } from './demo.ts';

const BuildInfo = v.object({ release: v.string() });

const ANSWER_MS = 5_000;

/** Returns why a call failed: the innermost cause, which sometimes has only a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** Fetches the id of the release that visitors get. Returns a sentence if it is unknown. */
async function liveRelease(origin: string): Promise<{ id: string } | { problem: string }> {
  const url = new URL(`/${BUILD_INFO}`, origin).href;
  try {
    const answer = ky(url, { cache: 'no-store', timeout: ANSWER_MS, retry: 0 });
    return { id: (await answer.json(BuildInfo)).release };
  } catch (error) {
    return { problem: `${url} does not name a release (${reasonOf(error)}).` };
  }
}

/** How long an answer is cached, in ms. An address that does not answer takes seconds. */
const CACHED_FOR = 60_000;

const answers = new Map<string, { readonly at: number; readonly live: ReturnType<typeof liveRelease> }>();

function liveReleaseCached(origin: string, now: number): ReturnType<typeof liveRelease> {
  const last = answers.get(origin);
  if (last && Math.abs(now - last.at) < CACHED_FOR) return last.live;
  const live = liveRelease(origin);
  answers.set(origin, { at: now, live });
  return live;
}

export const LIVE_RELEASE_CHECK: Check = {
  name: 'live release',
  todo: 'Run npm run release, and look at the web server and PUBLISH_AFTER.',
  page: '/publish',
  async find({ env, shop, now }) {
    const origin = shop?.store.siteUrl;
    if (!origin || isReserved(origin)) return undefined;
    const live = await liveReleaseCached(origin, now);
    if ('problem' in live) return `Visitors do not get the shop. ${live.problem}`;
    const current = currentRelease(resolve(parseSettings(PUBLISH, env).PUBLISH_DIR));
    return (
      current !== undefined &&
      current !== live.id &&
      `Visitors of ${origin} get release ${live.id}, and ${current} should be live.`
    );
  },
};
