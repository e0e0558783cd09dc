import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BuildError } from './build-error.ts';
import { lockReleases } from './lock.ts';
import { currentRelease, SITE } from './releases.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Holds the release for which PUBLISH_AFTER succeeded last: the one that the web server serves. */
const TOLD = 'told';

/** undefined where nothing is known. */
export function toldRelease(root: string): string | undefined {
  try {
    return readFileSync(join(root, TOLD), 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether PUBLISH_AFTER still has to succeed for the live release. */
export const isUntold = (root: string): boolean => currentRelease(root) !== toldRelease(root);

/** What fails once a release is live takes nothing back: it is told, and the publication goes on. */
export async function orWarn(what: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.warn(`[publish] ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Words divided by spaces, never through a shell. It finds the release in RELEASE_ID and RELEASE_SITE. */
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
    `Release ${id} is in place, but the command after it failed (PUBLISH_AFTER: ${command}, ${code}). Visitors may still see the release before. The next publication runs it again, and so does 'npm run publish -- --rollback --to ${id}'.`,
  );
}

/**
 * Runs the owner's PUBLISH_AFTER (`nginx -s reload`, an upload …) for the live release, and notes that it succeeded.
 * Only the holder of the lock may call it.
 * @throws BuildError where the command fails; the release is live all the same
 */
export async function afterSwitch(root: string, env: Environment = process.env): Promise<void> {
  const id = currentRelease(root);
  if (id === undefined) return;
  await runCommand(root, id, env);
  await orWarn('The command after the switch will run once more', () => writeFileSync(join(root, TOLD), id));
}

/** Runs PUBLISH_AFTER where it has not succeeded for the live release, without building. Gives whether it ran. */
export async function tellAgain(folder: string, env: Environment = process.env): Promise<boolean> {
  const root = resolve(folder);
  const lock = lockReleases(root);
  try {
    if (!isUntold(root)) return false;
    await afterSwitch(root, env);
    return true;
  } finally {
    lock.release();
  }
}
