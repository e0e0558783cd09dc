import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '#scripts/program/explained-error.ts';
import { type History, HistorySchema } from '#scripts/program/publishing.ts';
import { currentRelease, listReleases } from './releases.ts';

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
