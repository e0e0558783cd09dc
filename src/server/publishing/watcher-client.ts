import ky from 'ky';
import * as v from 'valibot';
import {
  ALLOW_SHRINK,
  CONFLICT,
  type Differences,
  RELEASE_CHANGED,
  WATCHER_CALLS,
} from '#server/process/publishing.ts';
import type { Settings } from '#server/settings/settings.ts';

/** In ms. Calls that read the whole catalogue or wait for a web server have the long timeout. */
const TIMEOUT = 5_000;

const LONG_TIMEOUT = 30_000;

export const hasNoDifferences = ({ isReordered, ...lists }: Differences): boolean =>
  !isReordered && Object.values(lists).every((list) => list.length === 0);

interface Failed {
  readonly status: 'failed';
  /** A sentence for the editor. */
  readonly reason: string;
  readonly cause?: 'nothing live' | 'release changed' | undefined;
}

export type WatcherAnswer<T> = { readonly status: 'answered'; readonly value: T } | Failed;

const failed = (reason: string, cause?: Failed['cause']): Failed => ({ status: 'failed', reason, cause });

const NOT_SET = failed(
  "Nothing publishes this shop: start 'npm run publish:watch', and this API with PUBLISH_HOOK (the watcher's address) and REBUILD_TOKEN (the same as there).",
);

const OTHER_RELEASE_LIVE =
  'Another staff member published or went back in the meantime. Check the list again.';

const ErrorSchema = v.pipe(v.string(), v.parseJson(), v.object({ error: v.string() }));

function failureOf(status: number, text: string, address: string): Failed {
  if (status === 401)
    return failed('The watcher refuses the token. REBUILD_TOKEN must be the same there and here.');
  if (status === 429) return failed('The watcher has been called too often. Please try again in a minute.');
  const parsed = v.safeParse(ErrorSchema, text);
  return failed(parsed.success ? parsed.output.error : `${address} answered ${status}.`);
}

/** Calls the watcher (scripts/publish/watch), on this computer or another one. */
export function createWatcherClient({ hook, token }: Settings['publishing']) {
  async function call<S extends v.GenericSchema<unknown, unknown>>(
    { method, path, answer }: { readonly method: string; readonly path: string; readonly answer: S },
    { timeout = TIMEOUT, query = '' } = {},
  ): Promise<WatcherAnswer<v.InferOutput<S>>> {
    if (hook === undefined || token === undefined) return NOT_SET;
    const address = hook + path + query;
    try {
      const request = ky(address, {
        method,
        headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
        redirect: 'error',
        timeout,
        retry: 0,
        throwHttpErrors: false,
      });
      const { ok, status } = await request;
      const text = await request.text();
      if (path === WATCHER_CALLS.differences.path && status === CONFLICT)
        return failed('Nothing has been published yet.', 'nothing live');
      if (status === RELEASE_CHANGED) return failed(OTHER_RELEASE_LIVE, 'release changed');
      if (!ok) return failureOf(status, text, address);
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), answer), text);
      return parsed.success
        ? { status: 'answered', value: parsed.output }
        : failed(`The server at ${hook} is not the watcher of this version.`);
    } catch {
      return failed(`The watcher does not answer at ${hook}. Is 'npm run publish:watch' running?`);
    }
  }

  return {
    status: () => call(WATCHER_CALLS.status),
    publish: (allowShrink = false) =>
      call(WATCHER_CALLS.publish, { query: allowShrink ? `?${ALLOW_SHRINK}=true` : '' }),
    /** Goes back to the release before `live`, if this one is still live. */
    rollBack: (live: string) =>
      call(WATCHER_CALLS.rollBack, {
        timeout: LONG_TIMEOUT,
        query: `?from=${encodeURIComponent(live)}`,
      }),
    differences: () => call(WATCHER_CALLS.differences, { timeout: LONG_TIMEOUT }),
  };
}
