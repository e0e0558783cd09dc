import * as v from 'valibot';
import {
  ALLOW_SHRINK,
  CONFLICT,
  type Differences,
  STALE,
  WATCHER_CALLS,
} from '#server/process/publishing.ts';
import type { Settings } from '#server/settings/settings.ts';

/** How long the hook may take, in ms. Calls that read the whole catalogue or wait for a web server have the long one. */
const TIMEOUT = 5_000;

const LONG_TIMEOUT = 30_000;

export const isNothing = ({ added, removed, repriced, edited, texts, isReordered }: Differences): boolean =>
  added.length + removed.length + repriced.length + edited.length + texts.length === 0 && !isReordered;

export type Publishing<T> =
  | { readonly status: 'answered'; readonly value: T }
  /** `reason` is a sentence for the person who wanted to publish. */
  | {
      readonly status: 'failed';
      readonly cause: 'not set' | 'unreachable' | 'refused' | 'nothing live' | 'stale';
      readonly reason: string;
    };

type Failed = Extract<Publishing<never>, { status: 'failed' }>;

const failed = (cause: Failed['cause'], reason: string): Failed => ({ status: 'failed', cause, reason });

const NOT_SET = failed(
  'not set',
  "Nothing publishes this shop: start 'npm run publish:watch', and this API with PUBLISH_HOOK (the watcher's address) and REBUILD_TOKEN (the same as there).",
);

const SOMEBODY_ELSE = 'Somebody else has published or gone back meanwhile. Look at the list again.';

interface Call<S> {
  readonly method: string;
  readonly path: string;
  readonly answer: S;
}

const ErrorSchema = v.pipe(v.string(), v.parseJson(), v.object({ error: v.string() }));

function failureOf(status: number, text: string, address: string): Failed {
  if (status === 401)
    return failed('refused', 'The watcher refuses the token. REBUILD_TOKEN must be the same there and here.');
  if (status === 429)
    return failed('refused', 'The watcher has been called too often. Please try again in a minute.');
  const told = v.safeParse(ErrorSchema, text);
  return failed('refused', told.success ? told.output.error : `${address} answered ${status}.`);
}

/** Speaks with the watcher's hook (scripts/publish/watch), on this computer or another one. */
export function createWatcherClient({ hook, token }: Settings['publishing']) {
  async function ask<S extends v.GenericSchema<unknown, unknown>>(
    { method, path, answer }: Call<S>,
    { timeout = TIMEOUT, query = '' } = {},
  ): Promise<Publishing<v.InferOutput<S>>> {
    if (hook === undefined || token === undefined) return NOT_SET;
    const address = hook + path + query;
    try {
      const response = await fetch(address, {
        method,
        headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      });
      const text = await response.text();
      if (path === WATCHER_CALLS.differences.path && response.status === CONFLICT)
        return failed('nothing live', 'Nothing was published yet.');
      if (response.status === STALE) return failed('stale', SOMEBODY_ELSE);
      if (!response.ok) return failureOf(response.status, text, address);
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), answer), text);
      return parsed.success
        ? { status: 'answered', value: parsed.output }
        : failed('unreachable', `What answers at ${hook} is not the watcher of this version.`);
    } catch {
      return failed(
        'unreachable',
        `The watcher does not answer at ${hook}. Is 'npm run publish:watch' running?`,
      );
    }
  }

  return {
    status: () => ask(WATCHER_CALLS.status),
    publish: (allowShrink = false) =>
      ask(WATCHER_CALLS.publish, { query: allowShrink ? `?${ALLOW_SHRINK}=true` : '' }),
    /** Goes back to the release before the live one, if this one is live. */
    rollBack: (live: string) =>
      ask(WATCHER_CALLS.rollBack, {
        timeout: LONG_TIMEOUT,
        query: `?from=${encodeURIComponent(live)}`,
      }),
    differences: () => ask(WATCHER_CALLS.differences, { timeout: LONG_TIMEOUT }),
  };
}
