import { spawn } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { BuildError } from '#scripts/program/explained-error.ts';
import { lockReleases } from '#scripts/publish/release/lock.ts';
import { readManifest } from '#scripts/publish/release/manifest.ts';
import { currentRelease, SITE } from '#scripts/publish/release/releases.ts';
import { problemWithLive } from './live-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of what follows a switch. */
const KEPT = ['PUBLISH_AFTER', 'PUBLISH_ADDRESS', 'PUBLISH_WAIT'] as const;

const KEPT_FILE = 'after-switch.json';

const KeptSettings = v.pipe(v.string(), v.parseJson(), v.record(v.picklist(KEPT), v.string()));

/** How long the shop's address is asked after a switch, in seconds, where PUBLISH_WAIT says nothing else. */
const WAIT_SECONDS = 30;

/**
 * The settings of what follows a switch. They are kept with the releases, so that a roll back in a shell that has none of
 * them does the same as the publication before it. One that is set, even to '', replaces the kept one.
 */
function settingsAfter(root: string, env: Environment): Environment {
  const file = join(root, KEPT_FILE);
  let kept: Environment = {};
  try {
    kept = v.parse(KeptSettings, readFileSync(file, 'utf8'));
  } catch {
    // Nothing was kept yet.
  }
  const given = Object.fromEntries(KEPT.map((name) => [name, env[name] ?? kept[name]]));
  if (KEPT.some((name) => given[name] !== kept[name])) {
    // The command may have a password in it.
    writeFileSync(`${file}.new`, JSON.stringify(given), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return given;
}

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

const againBy = (id: string): string =>
  `The next publication tries again, and so does 'npm run release -- --rollback --to ${id}'.`;

/** Runs the words of PUBLISH_AFTER, without a shell. The command finds the release in RELEASE_ID and RELEASE_SITE. */
async function runCommand(root: string, id: string, given: string, env: Environment): Promise<void> {
  const [command, ...words] = given.split(/\s+/).filter((word) => word !== '');
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
    `Release ${id} is in place, but the command after it failed (PUBLISH_AFTER: ${command}, ${code}). Visitors may still see the release before. ${againBy(id)}`,
  );
}

/** Asks the shop's address whether visitors get the release. */
async function askAddress(root: string, id: string, settings: Environment): Promise<void> {
  const address = settings.PUBLISH_ADDRESS ?? (await readManifest(join(root, id)))?.address ?? '';
  if (address === '' || address === 'off') return;
  const problem = await problemWithLive(address, id, Number(settings.PUBLISH_WAIT || WAIT_SECONDS) * 1_000);
  if (problem === undefined) return;
  const advice = settings.PUBLISH_AFTER
    ? ''
    : " Set PUBLISH_AFTER to the command by which the web server takes a new release, such as 'nginx -s reload'.";
  throw new BuildError(
    `Release ${id} is in place, but visitors do not get it. ${problem}${advice} ${againBy(id)}`,
  );
}

/**
 * Runs the owner's PUBLISH_AFTER (`nginx -s reload`, an upload …) for the live release, asks the shop's address whether
 * visitors get it, and notes that they do. Only the holder of the lock may call it.
 * @throws BuildError if the command fails or visitors get something else; the release stays in place all the same
 */
export async function afterSwitch(root: string, env: Environment = process.env): Promise<void> {
  const id = currentRelease(root);
  if (id === undefined) return;
  const settings = settingsAfter(root, env);
  await runCommand(root, id, settings.PUBLISH_AFTER ?? '', env);
  await askAddress(root, id, settings);
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
