import { spawn } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Hidden folders beside the target, on the same file system. Their names end with the id of their process. */
type Purpose = 'building' | 'old';

const siblingName = (target: string, purpose: Purpose): string => `.${basename(target)}.${purpose}-`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function leftovers(target: string, purpose: Purpose): string[] {
  const folder = dirname(target);
  const prefix = siblingName(target, purpose);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .filter((name) => {
      const pid = Number(name.slice(prefix.length));
      const path = join(folder, name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      return pid === process.pid || !isAlive(pid) || age > DAY_MS;
    })
    .map((name) => join(folder, name));
}

/** Deletes in the background, because thousands of files take seconds. */
export function deleteLater(paths: readonly string[]): void {
  if (paths.length === 0) return;
  const script =
    'for (const path of process.argv.slice(1)) fs.rmSync(path, { recursive: true, force: true })';
  spawn(process.execPath, ['-e', script, ...paths], { detached: true, stdio: 'ignore' }).unref();
}

/** The folder in which the next build of `target` is made, so that the swap is only a rename. */
export const stagingOf = (target: string): string =>
  join(dirname(target), `${siblingName(target, 'building')}${process.pid}`);

/** Deletes what killed builds left, and restores the target if one was killed between the two renames of its swap. */
export function cleanUp(target: string): void {
  const [old, ...rest] = leftovers(target, 'old');
  const remains = existsSync(target) || old === undefined ? [...(old ? [old] : []), ...rest] : rest;
  if (!existsSync(target) && old !== undefined) renameSync(old, target);
  deleteLater([...remains, ...leftovers(target, 'building')]);
}

/** Replaces the target with the finished staging folder. The old target is deleted in the background. */
export function swapIn(staging: string, target: string): void {
  const old = join(dirname(target), `${siblingName(target, 'old')}${process.pid}`);
  const replaces = existsSync(target);
  if (replaces) renameSync(target, old);
  renameSync(staging, target);
  if (replaces) deleteLater([old]);
}

export const discard = (staging: string): void => rmSync(staging, { recursive: true, force: true });
