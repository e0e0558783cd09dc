import { existsSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deleteLater } from './staging.ts';

/** A release's folder: `site/` is served, the rest is about it. */
export const SITE = 'site';
/** The link to the live release. */
export const CURRENT = 'current';
const ID = /^\d{6}-\d{8}-\d{6}$/;
const BUILDING = '.building-';

/** Releases kept, the current one included (faults 85). */
export const KEPT = 5;

/** Release ids, oldest first. A number leads, so that a clock set back changes no order. */
export function listReleases(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => ID.test(name))
    .sort();
}

/** The release that is live; undefined before the first. */
export function currentRelease(root: string): string | undefined {
  try {
    const id = basename(readlinkSync(join(root, CURRENT)));
    return existsSync(join(root, id)) ? id : undefined;
  } catch {
    return undefined;
  }
}

export function nextReleaseId(root: string, now: Date): string {
  const last = listReleases(root).at(-1);
  const number = last === undefined ? 1 : Number(last.slice(0, 6)) + 1;
  const time = now
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, '')
    .replace('T', '-');
  return `${String(number).padStart(6, '0')}-${time}`;
}

/** Named after its process too: what one left that was killed in this second may still be in deletion. */
export const buildingFolder = (root: string, id: string): string =>
  join(root, `${BUILDING}${id}-${process.pid}`);

/** Leftovers of killed publications; only the holder of the lock may call it. */
export function removeLeftovers(root: string): void {
  if (!existsSync(root)) return;
  const names = readdirSync(root).filter(
    (name) => name.startsWith(BUILDING) || name.startsWith(`.${CURRENT}-`),
  );
  deleteLater(names.map((name) => join(root, name)));
}

/** Makes a release the live one: one rename, before which everything is the old and after which everything the new. */
export function switchTo(root: string, id: string): void {
  const link = join(root, `.${CURRENT}-${process.pid}`);
  rmSync(link, { force: true });
  symlinkSync(id, link, 'dir');
  renameSync(link, join(root, CURRENT));
}

/** Deletes what is older than the kept ones, never the `needed`, in the background. Gives what it deletes. */
export function prune(root: string, needed: readonly (string | undefined)[]): string[] {
  const old = listReleases(root)
    .slice(0, -KEPT)
    .filter((id) => !needed.includes(id));
  // Out of the list at once, should the deletion be cut short.
  const doomed = old.map((id) => {
    const path = buildingFolder(root, `${id}-old`);
    renameSync(join(root, id), path);
    return path;
  });
  deleteLater(doomed);
  return old;
}
