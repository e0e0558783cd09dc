import * as v from 'valibot';
import type { Settings } from '#scripts/api/shop/settings.ts';

/** How long the hook may take, in ms. Calls that read the whole catalogue or wait for a web server have the long one. */
const TIMEOUT = 5_000;

const LONG_TIMEOUT = 30_000;

const DIFFERENCES = '/differences';

const StatusSchema = v.object({
  state: v.picklist(['idle', 'building', 'waiting to try again']),
  /** Whether one more publication follows the running one. */
  pending: v.boolean(),
  /** Why the last publication failed. */
  failure: v.optional(v.string()),
  progress: v.optional(
    v.object({
      phase: v.picklist(['building', 'checking', 'compressing']),
      done: v.number(),
      total: v.number(),
    }),
  ),
  /** How many publications have begun since the watcher was started. */
  builds: v.number(),
  live: v.optional(v.string()),
  releases: v.array(
    v.object({
      id: v.string(),
      at: v.string(),
      kind: v.picklist(['published', 'rolled back']),
      summary: v.array(v.string()),
    }),
  ),
});

export type PublishingStatus = v.InferOutput<typeof StatusSchema>;

const Named = v.object({ id: v.string(), name: v.string() });

const Repriced = v.object({ ...Named.entries, from: v.number(), to: v.number() });

const listOf = <S extends v.GenericSchema<unknown, unknown>>(entry: S) =>
  v.pipe(v.array(entry), v.readonly());

/** What a publication would change in the live shop. Prices are in rupees. */
const DifferencesSchema = v.object({
  added: listOf(Named),
  removed: listOf(Named),
  repriced: listOf(Repriced),
  /** Products with other texts, pictures or attributes but the same price. */
  edited: listOf(Named),
  /** The parts of the store record that differ, such as `companyPhone` or `policies/terms`. */
  texts: listOf(v.string()),
  /** Whether products stand in another order. */
  isReordered: v.boolean(),
});

export type Differences = v.InferOutput<typeof DifferencesSchema>;

export const isNothing = ({ added, removed, repriced, edited, texts, isReordered }: Differences): boolean =>
  added.length + removed.length + repriced.length + edited.length + texts.length === 0 && !isReordered;

export type Publishing<T> =
  | { readonly status: 'answered'; readonly value: T }
  /** `reason` is a sentence for the person who wanted to publish. */
  | {
      readonly status: 'failed';
      readonly cause: 'not set' | 'unreachable' | 'refused' | 'nothing live';
      readonly reason: string;
    };

type Failed = Extract<Publishing<never>, { status: 'failed' }>;

const failed = (cause: Failed['cause'], reason: string): Failed => ({ status: 'failed', cause, reason });

const NOT_SET = failed(
  'not set',
  "Nothing publishes this shop: start 'npm run publish:watch', and this API with PUBLISH_HOOK (the watcher's address) and REBUILD_TOKEN (the same as there).",
);

const ErrorSchema = v.pipe(v.string(), v.parseJson(), v.object({ error: v.string() }));

function refusalOf(status: number, text: string, address: string): Failed {
  if (status === 401)
    return failed('refused', 'The watcher refuses the token. REBUILD_TOKEN must be the same there and here.');
  if (status === 429)
    return failed('refused', 'The watcher has been called too often. Please try again in a minute.');
  const told = v.safeParse(ErrorSchema, text);
  return failed('refused', told.success ? told.output.error : `${address} answered ${status}.`);
}

/** Speaks with the watcher's hook (scripts/publish/watch), on this computer or another one. */
export function createPublishing({ hook, token }: Settings['publishing']) {
  async function ask<S extends v.GenericSchema<unknown, unknown>>(
    method: 'GET' | 'POST',
    path: string,
    schema: S,
    timeout = TIMEOUT,
  ): Promise<Publishing<v.InferOutput<S>>> {
    if (hook === undefined || token === undefined) return NOT_SET;
    const address = hook + path;
    try {
      const response = await fetch(address, {
        method,
        headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      });
      const text = await response.text();
      if (path === DIFFERENCES && response.status === 409)
        return failed('nothing live', 'Nothing was published yet.');
      if (!response.ok) return refusalOf(response.status, text, address);
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
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
    status: () => ask('GET', '/status', StatusSchema),
    /** Asks for a publication. `status` tells how it goes on. */
    publish: () => ask('POST', '/rebuild', v.object({ queued: v.literal(true) })),
    /** Goes back to the release before the live one. */
    rollBack: () => ask('POST', '/rollback', v.object({ from: v.string(), to: v.string() }), LONG_TIMEOUT),
    /** What a publication would change in the live shop. */
    differences: () => ask('GET', DIFFERENCES, DifferencesSchema, LONG_TIMEOUT),
  };
}
