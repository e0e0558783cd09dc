import { existsSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CURRENT, currentRelease, type History } from '#server/process/publishing.ts';
import { readManifest } from './manifest.ts';

/** The folder within a release that is served. The other files describe the release. */
export const SITE = 'site';

const ID = /^\d{6}-\d{8}-\d{6}$/;

const BUILDING = '.building-';

/** How many releases are kept, including the current one. `prune` deletes older ones. */
export const KEPT = 5;

/** Returns the ids of the releases, oldest first. They begin with a number, in case a clock is set back. */
export function listReleases(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => ID.test(name))
    .sort();
}

export function nextReleaseId(root: string, now: Date): string {
  const last = listReleases(root).at(-1);
  const number = last === undefined ? 1 : Number(last.slice(0, 6)) + 1;
  const time = now
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `${String(number).padStart(6, '0')}-${time}`;
}

export const buildingFolder = (root: string, id: string): string => join(root, BUILDING + id);

/** Deletes leftovers of killed publications. Only the holder of the lock may call it. */
export async function removeLeftovers(root: string): Promise<void> {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) {
    if (name.startsWith(BUILDING) || name === `.${CURRENT}`) await rm(join(root, name), { recursive: true });
  }
}

/** Makes a release the live one by one rename, so that visitors get either the old or the new release. */
export function switchTo(root: string, id: string): void {
  const link = join(root, `.${CURRENT}`);
  rmSync(link, { force: true });
  symlinkSync(id, link, 'dir');
  renameSync(link, join(root, CURRENT));
}

/** Deletes all but the last five releases, the live one, and the one that it replaced. */
export async function prune(root: string): Promise<void> {
  const live = currentRelease(root);
  const needed = [live, (await readManifest(root, live))?.replaces];
  for (const id of listReleases(root).slice(0, -KEPT)) {
    if (needed.includes(id)) continue;
    // It is renamed first, so that an interrupted deletion leaves no broken release in the list.
    renameSync(join(root, id), buildingFolder(root, id));
    await rm(buildingFolder(root, id), { recursive: true });
  }
}

type Entry = Pick<History[number], 'at' | 'summary'>;

/** The history entry of a release. After the switch it is renamed to LIVE, which needs no disk space. */
const PREPARED = 'summary.json';
const LIVE = 'live.json';

export const writeEntry = (release: string, entry: Entry): Promise<void> =>
  writeFile(join(release, PREPARED), JSON.stringify(entry));

export const markLive = (root: string, id: string): void =>
  renameSync(join(root, id, PREPARED), join(root, id, LIVE));

/** Returns the newest release that went live, even if it was rolled back since. */
export const lastPublished = (root: string): string | undefined =>
  listReleases(root).findLast((id) => existsSync(join(root, id, LIVE)) || id === currentRelease(root));

/** Returns the releases that went live, newest first. */
export async function readHistory(root: string): Promise<History> {
  const entries = listReleases(root).map(async (id): Promise<History> => {
    const text = await readFile(join(root, id, LIVE), 'utf8').catch(() => undefined);
    return text === undefined ? [] : [{ id, ...(JSON.parse(text) as Entry) }];
  });
  return (await Promise.all(entries)).flat().reverse();
}
