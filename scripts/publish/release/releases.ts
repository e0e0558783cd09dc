import { existsSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deleteLater } from './staging.ts';

/** The folder within a release that is served. The other files describe the release. */
export const SITE = 'site';

/** The link to the live release. */
export const CURRENT = 'current';

const ID = /^\d{6}-\d{8}-\d{6}$/;

const BUILDING = '.building-';

/** How many releases are kept, including the current one. */
export const KEPT = 5;

/** The ids of the releases, oldest first. They begin with a number, so a clock that is set back does not matter. */
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

/** The process id is part of the name, because a folder that a killed process left may still be in deletion. */
export const buildingFolder = (root: string, id: string): string =>
  join(root, `${BUILDING}${id}-${process.pid}`);

/** Removes what killed publications left. Only the holder of the lock may call it. */
export function removeLeftovers(root: string): void {
  if (!existsSync(root)) return;
  const names = readdirSync(root).filter(
    (name) => name.startsWith(BUILDING) || name.startsWith(`.${CURRENT}-`),
  );
  deleteLater(names.map((name) => join(root, name)));
}

/** Makes a release the live one by one rename, so that visitors get either the old or the new release. */
export function switchTo(root: string, id: string): void {
  const link = join(root, `.${CURRENT}-${process.pid}`);
  rmSync(link, { force: true });
  symlinkSync(id, link, 'dir');
  renameSync(link, join(root, CURRENT));
}

/** Deletes all but the last five releases and the `needed` ones in the background. Returns the ids that it deletes. */
export function prune(root: string, needed: readonly (string | undefined)[]): string[] {
  const old = listReleases(root)
    .slice(0, -KEPT)
    .filter((id) => !needed.includes(id));
  // They are renamed first, so that a deletion that is cut short leaves no broken release in the list.
  const renamed = old.map((id) => {
    const path = buildingFolder(root, `${id}-old`);
    renameSync(join(root, id), path);
    return path;
  });
  deleteLater(renamed);
  return old;
}
