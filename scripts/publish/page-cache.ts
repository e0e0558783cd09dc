import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Lock, waitForLock } from './lock.ts';

const inCache = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/.astro/${name}`, import.meta.url));

const LOCK = inCache('build.lock');
const DIRTY = inCache('build.unfinished');

export interface PageCache {
  /** Whether the last build left pages that its list does not know: then nothing of it may be used. */
  readonly isDirty: boolean;
  /** The build went through. */
  readonly keep: () => void;
  readonly release: Lock['release'];
}

/**
 * Astro's cache of pages, for one build at a time. Astro writes pages as it goes and their list at the end: a build
 * that was killed leaves new pages under old keys, which would come back when an editor takes a change back.
 */
export async function openPageCache(onWait: () => void, signal?: AbortSignal): Promise<PageCache> {
  const lock = await waitForLock(LOCK, onWait, signal);
  const isDirty = existsSync(DIRTY);
  mkdirSync(dirname(DIRTY), { recursive: true });
  writeFileSync(DIRTY, '');
  return { isDirty, keep: () => rmSync(DIRTY, { force: true }), release: lock.release };
}
