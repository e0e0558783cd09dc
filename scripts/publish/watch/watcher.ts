import type { sourceWatch } from '#scripts/publish/release/source-version.ts';

export interface Watcher {
  /** Checks the catalogue. Returns whether it differs from the last check, or at first from the last publication. */
  readonly look: () => Promise<boolean>;
  readonly checkedAt: () => string | undefined;
  readonly failure: () => string | undefined;
}

/** Compares the API's catalogue with the version that was published last. */
export function watcher(source: ReturnType<typeof sourceWatch>, published: string | undefined): Watcher {
  let last = published;
  let checkedAt: string | undefined;
  let failure: string | undefined;
  return {
    async look() {
      try {
        const version = await source.version();
        checkedAt = new Date().toISOString();
        failure = undefined;
        const changed = version !== last;
        last = version;
        return changed;
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        return false;
      }
    },
    checkedAt: () => checkedAt,
    failure: () => failure,
  };
}
