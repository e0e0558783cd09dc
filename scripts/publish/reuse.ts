import { existsSync, linkSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ASSETS } from './hosting.ts';
import type { Files } from './manifest.ts';

const FORMS = ['', '.br', '.gz'];

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
 * compression, and the ETag a server makes of a file's time stays what visitors have.
 */
export function reuseUnchanged(site: string, files: Files, before: { site: string; files: Files }): void {
  for (const [name, { hash }] of Object.entries(files)) {
    if (before.files[name]?.hash !== hash) continue;
    for (const form of FORMS) {
      linkOver(join(before.site, name + form), join(site, name + form));
    }
  }
}

/** Adds the hashed assets of another kept release, for pages that visitors still have open (faults 88). */
export function carryAssets(site: string, other: { site: string; files: Files }): number {
  let carried = 0;
  for (const name of Object.keys(other.files)) {
    if (!name.startsWith(ASSETS)) continue;
    for (const form of FORMS) {
      const [from, to] = [join(other.site, name + form), join(site, name + form)];
      if (existsSync(to) || !existsSync(from)) continue;
      mkdirSync(dirname(to), { recursive: true });
      linkSync(from, to);
      carried += 1;
    }
  }
  return carried;
}
