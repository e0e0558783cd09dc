import { existsSync, readlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import { parseSettings } from '#server/settings/parse.ts';
import { PUBLISH } from '#server/settings/settings.ts';
import type { Check } from './check.ts';
import { isReserved } from './demo.ts';

/** The link to the live release, in the folder of the releases. */
export const CURRENT = 'current';

/** The file of a site that names its release. */
export const BUILD_INFO = 'build-info.json';

/** Returns the id of the live release; undefined before the first. */
export function currentRelease(root: string): string | undefined {
  try {
    const id = basename(readlinkSync(join(root, CURRENT)));
    return existsSync(join(root, id)) ? id : undefined;
  } catch {
    return undefined;
  }
}

const BuildInfo = v.object({ release: v.string() });

const ANSWER_MS = 5_000;

/**
 * Returns why a call failed. `fetch` itself says only 'fetch failed'. The reason is in its cause, sometimes only as
 * a code.
 */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

/**
 * Fetches which release the shop's visitors get.
 * @returns its id, or a sentence that says why it is unknown
 */
async function liveRelease(origin: string): Promise<{ id: string } | { problem: string }> {
  const url = new URL(`/${BUILD_INFO}`, origin).href;
  try {
    const answer = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await answer.text();
    if (!answer.ok) return { problem: `${url} answers with status ${answer.status}.` };
    const info = v.safeParse(v.pipe(v.string(), v.parseJson(), BuildInfo), text);
    return info.success ? { id: info.output.release } : { problem: `${url} does not name a release.` };
  } catch (error) {
    return { problem: `${url} does not answer (${reasonOf(error)}).` };
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
  severity: 'blocks',
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
