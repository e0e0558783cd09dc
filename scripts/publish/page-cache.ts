import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Lock, waitForLock } from './lock.ts';

const inCache = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/.astro/${name}`, import.meta.url));

const LOCK = inCache('build.lock');
/** Holds the code's hash; stands only while the pages and their list belong together. */
const WHOLE = inCache('build.whole');

export interface PageCache {
  /** Whether pages of the last build may come back where their product is as it was. */
  readonly isUsable: boolean;
  /** The build went through. */
  readonly keep: () => void;
  readonly release: Lock['release'];
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/**
 * Astro's cache of pages, for one build at a time. Astro writes pages as it goes and their list at the end: a build
 * that was killed leaves new pages under old keys, which would come back when an editor takes a change back. And a
 * page's key knows nothing of the scripts it loads: with other code or settings every page is built anew.
 */
export async function openPageCache(
  code: string,
  onWait: () => void,
  signal?: AbortSignal,
): Promise<PageCache> {
  const lock = await waitForLock(LOCK, onWait, signal);
  const isUsable = read(WHOLE) === code;
  mkdirSync(dirname(WHOLE), { recursive: true });
  rmSync(WHOLE, { force: true });
  return { isUsable, keep: () => writeFileSync(WHOLE, code), release: lock.release };
}
