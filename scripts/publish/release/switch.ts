import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BuildError } from '#server/process/explained-error.ts';
import { currentRelease } from '#server/process/publishing.ts';
import type { Environment } from '#server/settings/parse.ts';
import { ALL_ENCODINGS, linkAssets } from './compress.ts';
import { lockReleases } from './lock.ts';
import { readManifest } from './manifest.ts';
import { listReleases, SITE, switchTo } from './releases.ts';

/** This file exists from before a switch until PUBLISH_AFTER has succeeded for it. */
const PENDING = 'after-pending';

/** Whether PUBLISH_AFTER still has to succeed for the live release. */
export const isPending = (root: string): boolean => existsSync(join(root, PENDING));

/** Makes a release the live one. If it is killed after the switch, the next publication runs PUBLISH_AFTER. */
export function switchAndMark(root: string, id: string): void {
  writeFileSync(join(root, PENDING), '');
  switchTo(root, id);
}

/** Runs PUBLISH_AFTER without a shell. Its environment has RELEASE_ID and RELEASE_SITE. */
async function runCommand(root: string, id: string, env: Environment): Promise<void> {
  const [command, ...args] = (env.PUBLISH_AFTER ?? '').split(/\s+/).filter((word) => word !== '');
  if (command === undefined) return;
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...env, RELEASE_ID: id, RELEASE_SITE: join(root, id, SITE) },
  });
  const [status, signal] = await once(child, 'close').catch((error: Error) => [error.message]);
  if (status === 0) return;
  throw new BuildError(
    `Release ${id} is in place, but the command after it failed (PUBLISH_AFTER: ${command}, ${status ?? signal}). Visitors may still see the release before. The next publication tries again, and so does 'npm run release -- --rollback --to ${id}'.`,
  );
}

/**
 * Runs the owner's PUBLISH_AFTER (`nginx -s reload`, a deployment …) for the live release. Only the holder of the
 * lock may call it.
 * @throws BuildError if the command fails; the release stays live anyway
 */
export async function afterSwitch(root: string, env: Environment): Promise<void> {
  const id = currentRelease(root);
  if (id === undefined) return;
  await runCommand(root, id, env);
  rmSync(join(root, PENDING), { force: true });
}

/** Runs PUBLISH_AFTER if it has not succeeded yet, without a build. Returns whether it ran. */
export async function runAgain(folder: string, env: Environment): Promise<boolean> {
  const root = resolve(folder);
  using _lock = lockReleases(root);
  if (!isPending(root)) return false;
  await afterSwitch(root, env);
  return true;
}

/** Another release is live than the expected one. */
export class StaleRelease extends BuildError {}

/**
 * Goes back to an older release without a build.
 * @param options `to`: the release to go back to, by default the one that the live release replaced; `from`: the
 * release that must be live, compared under the lock, so that of two concurrent calls only one goes back
 * @throws StaleRelease, or BuildError if there is no such release or PUBLISH_AFTER fails
 */
export async function rollBack(
  folder: string,
  options: {
    readonly to?: string | undefined;
    readonly from?: string | undefined;
    readonly env?: Environment;
  } = {},
): Promise<{ from: string; to: string }> {
  const { to: release, from: expected, env = process.env } = options;
  const root = resolve(folder);
  using _lock = lockReleases(root);
  const from = currentRelease(root);
  if (from === undefined) throw new BuildError('There is no live release to go back from.');
  if (expected !== undefined && expected !== from)
    throw new StaleRelease(`The live release is ${from} by now. Nothing was changed.`);
  const releases = listReleases(root);
  const manifest = await readManifest(root, from);
  // Not the next lower number, which may have been rolled back earlier.
  const to = release ?? releases.find((id) => id === manifest?.replaces);
  if (to === undefined) throw new BuildError('There is no older release to go back to.');
  if (!releases.includes(to)) throw new BuildError(`There is no release '${to}'.`);
  if (to !== from) {
    // Visitors still have pages of the other release open.
    if (manifest)
      linkAssets(
        join(root, to, SITE),
        { site: join(root, from, SITE), files: manifest.files },
        ALL_ENCODINGS,
      );
    switchAndMark(root, to);
  }
  await afterSwitch(root, env);
  return { from, to };
}
