import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { BuildError } from './build-error.ts';
import { SITE } from './releases.ts';

/**
 * Runs the owner's PUBLISH_AFTER (`nginx -s reload`, an upload …), words divided by spaces, never through a shell. It
 * finds the release in RELEASE_ID and RELEASE_SITE.
 * @throws BuildError where it fails; the release is live all the same
 */
export async function runAfterSwitch(
  root: string,
  id: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
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
    `Release ${id} is in place, but the command after it failed (PUBLISH_AFTER: ${command}, ${code}). Visitors may still see the release before; run the command again.`,
  );
}
