import { existsSync, linkSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ASSETS } from '#scripts/publish/site/hosting.ts';
import { type Files, isUntouched } from './manifest.ts';

/** The suffixes of a file and its compressed forms: '' for the file itself. */
export type Forms = readonly ['', ...string[]];

export const ALL_FORMS: Forms = ['', '.br', '.gz', '.dcz'];

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Makes `now` a hard link to `old`, if `old` exists. */
function linkOver(old: string, now: string): void {
  try {
    linkSync(old, now);
    return;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const link = `${now}.link`;
  linkSync(old, link);
  renameSync(link, now);
  // If both names already were the same file, the rename does nothing and leaves both.
  if (existsSync(link)) unlinkSync(link);
}

/**
 * Replaces unchanged files and their compressed forms by hard links to the release before. That saves space and the
 * compression, and a server's ETag that depends on the file's time stays the same. A file that someone has edited is
 * not reused. Returns the records of the site's files.
 */
export function reuseUnchanged(
  site: string,
  files: Files,
  before: { site: string; files: Files },
  forms: Forms,
): Files {
  const now: Files = {};
  for (const [name, record] of Object.entries(files)) {
    const old = before.files[name];
    const same = old?.hash === record.hash && isUntouched(join(before.site, name), old);
    now[name] = same ? old : record;
    if (!same) continue;
    for (const form of forms) {
      linkOver(join(before.site, name + form), join(site, name + form));
    }
  }
  return now;
}

/** Adds the hashed assets of another kept release, for pages that visitors still have open (faults 88). */
export function carryAssets(site: string, other: { site: string; files: Files }, forms: Forms): number {
  let carried = 0;
  for (const name of Object.keys(other.files)) {
    if (!name.startsWith(ASSETS)) continue;
    for (const form of forms) {
      const [from, to] = [join(other.site, name + form), join(site, name + form)];
      if (existsSync(to) || !existsSync(from)) continue;
      mkdirSync(dirname(to), { recursive: true });
      linkSync(from, to);
      carried += 1;
    }
  }
  return carried;
}
