import { existsSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';

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

/*
 * The protocol between the admin's API and the watcher that publishes. The watcher answers these calls
 * (scripts/publish/watch/hook-server.ts), the API makes them (src/server/publishing/watcher-client.ts).
 */

const listOf = <S extends v.GenericSchema<unknown, unknown>>(entry: S) =>
  v.pipe(v.array(entry), v.readonly());

const NamedSchema = v.object({ id: v.string(), name: v.string() });

/** Prices are in rupees. */
const RepricedSchema = v.object({ ...NamedSchema.entries, from: v.number(), to: v.number() });

/** What a publication would change in the live shop. */
const DifferencesSchema = v.object({
  added: listOf(NamedSchema),
  removed: listOf(NamedSchema),
  repriced: listOf(RepricedSchema),
  /** Products with other texts, pictures or attributes but the same price. */
  edited: listOf(NamedSchema),
  /** The parts of the store record that differ, such as `companyPhone` or `policies/terms`. */
  texts: listOf(v.string()),
  /** Whether the same products are in another order. */
  isReordered: v.boolean(),
});

export type Differences = v.InferOutput<typeof DifferencesSchema>;

/** The stored releases that went live, newest first. */
const HistorySchema = v.array(
  v.object({
    id: v.string(),
    at: v.string(),
    /** The lines of a summary for the staff. */
    summary: v.array(v.string()),
  }),
);

export type History = v.InferOutput<typeof HistorySchema>;

/** The current step of a publication. */
const PhaseSchema = v.picklist(['building', 'checking', 'compressing']);

export type PublishPhase = v.InferOutput<typeof PhaseSchema>;

const StatusSchema = v.object({
  state: v.picklist(['idle', 'building', 'waiting to try again']),
  /** Whether one more build follows the running one. */
  pending: v.boolean(),
  /** Why the last build failed; undefined if it succeeded. */
  failure: v.optional(v.string()),
  /** When a failed build is tried again, in ms since 1970. */
  retryAt: v.optional(v.number()),
  /** undefined if no publication is running */
  phase: v.optional(PhaseSchema),
  live: v.optional(v.string()),
  /** When the API last answered a check of the catalogue, in ISO format. */
  checkedAt: v.optional(v.string()),
  /** Why the last check failed, or undefined if it succeeded. */
  checkFailure: v.optional(v.string()),
  releases: HistorySchema,
});

export type PublishingStatus = v.InferOutput<typeof StatusSchema>;

/** The query parameter that lets a publication lose many products. */
export const ALLOW_SHRINK = 'allow-shrink';

/** All calls need the token. */
export const WATCHER_CALLS = {
  status: { method: 'GET', path: '/status', answer: StatusSchema },
  /** Requests a publication. `?allow-shrink=true` allows a much smaller catalogue. `status` has the progress. */
  publish: { method: 'POST', path: '/rebuild', answer: v.object({ queued: v.literal(true) }) },
  /** Goes back to the release before the live one. With `?from=ID` only if that one is still live, else RELEASE_CHANGED. */
  rollBack: { method: 'POST', path: '/rollback', answer: v.object({ from: v.string(), to: v.string() }) },
  /** CONFLICT if nothing is live */
  differences: { method: 'GET', path: '/differences', answer: DifferencesSchema },
} as const;

/** The status for what cannot be done now. */
export const CONFLICT = 409;

/** The status if another release is live than `from`. */
export const RELEASE_CHANGED = 412;
