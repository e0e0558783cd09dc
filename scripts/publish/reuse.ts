import { existsSync, linkSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ASSETS } from './hosting.ts';
import { type Files, isUntouched } from './manifest.ts';

/** What is put behind a file's name: nothing, and the ends of its compressed forms. */
export type Forms = readonly ['', ...string[]];

export const ALL_FORMS: Forms = ['', '.br', '.gz', '.dcz'];

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Makes `now` the file that `old` is, where there is one. */
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
  // Two names of one file: the rename is then a no-op that leaves both.
  if (existsSync(link)) unlinkSync(link);
}

/**
 * Makes unchanged files one with those of the release before, compressed forms and times included: no space, no
 * compression, and the ETag a server makes of a file's time stays what visitors have. A file that someone wrote into is
 * not brought back. Gives what the site's files are now.
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
