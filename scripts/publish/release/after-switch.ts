import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BuildError } from '#scripts/program/explained-error.ts';
import { lockReleases } from './lock.ts';
import { currentRelease, SITE } from './releases.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The file with the id of the announced release: PUBLISH_AFTER succeeded for it last, so the web server serves it. */
const ANNOUNCED = 'told';

/** undefined if no release was announced yet. */
export function announcedRelease(root: string): string | undefined {
  try {
    return readFileSync(join(root, ANNOUNCED), 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether PUBLISH_AFTER still has to succeed for the live release. */
export const isUnannounced = (root: string): boolean => currentRelease(root) !== announcedRelease(root);

/** Once a release is live, a failed step must not stop the publication. This only warns of the failure. */
export async function orWarn(what: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.warn(`[publish] ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs the words of PUBLISH_AFTER, without a shell. The command finds the release in RELEASE_ID and RELEASE_SITE. */
async function runCommand(root: string, id: string, env: Environment): Promise<void> {
  const [command, ...words] = (env.PUBLISH_AFTER ?? '').split(/\s+/).filter((word) => word !== '');
  if (command === undefined) return;
  const code = await new Promise<number | string>((done) => {
    const child = spawn(command, words, {
      stdio: 'inherit',
      env: { ...env, RELEASE_ID: id, RELEASE_SITE: join(resolve(root), id, SITE) },
    });
    child.on('error', (error) => done(error.message));
    child.on('close', (status, signal) => done(status ?? signal ?? 1));
  });
  if (code === 0) return;
  throw new BuildError(
    `Release ${id} is in place, but the command after it failed (PUBLISH_AFTER: ${command}, ${code}). Visitors may still see the release before. The next publication runs it again, and so does 'npm run release -- --rollback --to ${id}'.`,
  );
}

/**
 * Runs the owner's PUBLISH_AFTER (`nginx -s reload`, an upload …) for the live release, and notes that it succeeded.
 * Only the holder of the lock may call it.
 * @throws BuildError if the command fails; the release stays live all the same
 */
export async function afterSwitch(root: string, env: Environment = process.env): Promise<void> {
  const id = currentRelease(root);
  if (id === undefined) return;
  await runCommand(root, id, env);
  await orWarn('The command after the switch will run once more', () =>
    writeFileSync(join(root, ANNOUNCED), id),
  );
}

/** Runs PUBLISH_AFTER if it has not succeeded for the live release yet, without building. Returns whether it ran. */
export async function announceAgain(folder: string, env: Environment = process.env): Promise<boolean> {
  const root = resolve(folder);
  const lock = lockReleases(root);
  try {
    if (!isUnannounced(root)) return false;
    await afterSwitch(root, env);
    return true;
  } finally {
    lock.release();
  }
}
