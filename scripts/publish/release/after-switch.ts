import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BuildError } from '#scripts/program/explained-error.ts';
import { lockReleases } from './lock.ts';
import { currentRelease, SITE, switchTo } from './releases.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** This file is in the folder of the releases from before a switch until PUBLISH_AFTER has succeeded for it. */
const PENDING = 'after-pending';

/** Whether PUBLISH_AFTER still has to succeed for the live release. */
export const isPending = (root: string): boolean => existsSync(join(root, PENDING));

/** Makes a release the live one. A command that is killed after the switch is run again by the next publication. */
export function switchAndMark(root: string, id: string): void {
  writeFileSync(join(root, PENDING), '');
  switchTo(root, id);
}

/** Runs the words of PUBLISH_AFTER, without a shell. The command finds the release in RELEASE_ID and RELEASE_SITE. */
async function runCommand(root: string, id: string, env: Environment): Promise<void> {
  const [command, ...words] = (env.PUBLISH_AFTER ?? '').split(/\s+/).filter((word) => word !== '');
  if (command === undefined) return;
  const code = await new Promise<number | string>((done) => {
    const child = spawn(command, words, {
      stdio: 'inherit',
      env: { ...env, RELEASE_ID: id, RELEASE_SITE: join(root, id, SITE) },
    });
    child.on('error', (error) => done(error.message));
    child.on('close', (status, signal) => done(status ?? signal ?? 1));
  });
  if (code === 0) return;
  throw new BuildError(
    `Release ${id} is in place, but the command after it failed (PUBLISH_AFTER: ${command}, ${code}). Visitors may still see the release before. The next publication tries again, and so does 'npm run release -- --rollback --to ${id}'.`,
  );
}

/**
 * Runs the owner's PUBLISH_AFTER (`nginx -s reload`, a deployment …) for the live release. Only the holder of the lock may
 * call it.
 * @throws BuildError if the command fails; the release stays in place all the same
 */
export async function afterSwitch(root: string, env: Environment): Promise<void> {
  const id = currentRelease(root);
  if (id === undefined) return;
  await runCommand(root, id, env);
  rmSync(join(root, PENDING), { force: true });
}

/** Runs PUBLISH_AFTER if it has not succeeded yet, without building. Returns whether it ran. */
export async function runAgain(folder: string, env: Environment): Promise<boolean> {
  const root = resolve(folder);
  const lock = lockReleases(root);
  try {
    if (!isPending(root)) return false;
    await afterSwitch(root, env);
    return true;
  } finally {
    lock.release();
  }
}
