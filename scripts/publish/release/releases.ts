import { existsSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '#scripts/program/explained-error.ts';
import { type History, HistorySchema } from '#scripts/program/publishing.ts';
import { deleteLater } from './staging.ts';

const MAX_ENTRIES = 10;

const fileOf = (root: string): string => join(root, 'history.json');

/** The releases that went live, newest first; empty if there is no readable history. */
export async function readHistory(root: string): Promise<History> {
  const text = await readFile(fileOf(root), 'utf8').catch(() => '[]');
  try {
    return v.parse(HistorySchema, JSON.parse(text));
  } catch {
    return [];
  }
}

/**
 * The newest release that went live, even if it was rolled back since. A release whose publication was killed before
 * the switch never went live.
 */
export async function lastPublished(root: string): Promise<string | undefined> {
  const wasLive = new Set([currentRelease(root), ...(await readHistory(root)).map(({ id }) => id)]);
  return listReleases(root).findLast((id) => wasLive.has(id));
}

/** Only the holder of the lock may call it. The release is live by then, so a full disk only warns. */
export async function remember(root: string, entry: History[number]): Promise<void> {
  const history = [entry, ...(await readHistory(root))].slice(0, MAX_ENTRIES);
  const temporary = `${fileOf(root)}.new`;
  try {
    await writeFile(temporary, JSON.stringify(history));
    await rename(temporary, fileOf(root));
  } catch (error) {
    console.warn(`[publish] The history could not be written: ${messageOf(error)}`);
  }
}

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
