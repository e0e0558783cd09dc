import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storeInfoRequest } from '#api/requests.ts';
import { readStoreInfo } from '#scripts/build/read-store-info.ts';
import { type AstroOptions, runAstro } from '#scripts/build/run-astro.ts';
import { waitForLock } from '#scripts/publish/release/lock.ts';
import { falseClaims } from '#server/doctor/demo.ts';
import { BuildError, RefusedRelease } from '#server/process/explained-error.ts';
import type { Environment } from '#server/settings/parse.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { PUBLISH, readSiteSettings } from '#server/settings/settings.ts';
import { type Finished, finishSite } from './finish.ts';
import { addDictionary } from './release/compress.ts';
import { writeBuildInfo } from './release/manifest.ts';

/** Retries of the request before the build. */
const RETRIES = 2;

/** Every build runs here, because pages contain the path as a constant and would otherwise be built again. */
const WORK_FOLDER = fileURLToPath(new URL('../../.cache/build', import.meta.url));

export interface BuildOptions extends AstroOptions {
  /** Builds every page again, even if nothing has changed. */
  readonly force?: boolean;
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** Moves a folder by a rename, or by a copy between file systems. */
async function move(from: string, to: string): Promise<void> {
  await remove(to);
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await cp(from, to, { recursive: true });
  }
}

/**
 * A live shop must not name the demo's address or people as its own. Checked before the build, so that nobody waits for
 * a build that is refused.
 * @throws RefusedRelease that says where to set them; BuildError if the API does not answer
 */
async function refuseFalseClaims(env: Environment): Promise<void> {
  if (env.NODE_ENV !== 'production' || env.PUBLIC_DEMO === 'true') return;
  const record = await readStoreInfo(storeInfoRequest().schema, env, RETRIES).catch((error: Error) => {
    throw new BuildError(error.message);
  });
  const problems = falseClaims(record);
  if (problems.length === 0) return;
  const lines = problems.map((problem) => `  ${problem}`);
  throw new RefusedRelease(
    `Not published, because the pages would say what is not true:\n${lines.join('\n')}\nA demonstration is published all the same by PUBLIC_DEMO=true, or npm run release -- --demo. Each page then says that it is one.`,
  );
}

/** Lets one build at a time run in this project. A refused shop does not wait for another build. */
async function lockBuilds({ env = process.env, signal }: BuildOptions): Promise<Disposable> {
  await refuseFalseClaims(env);
  const waiting = (): void => console.log('Another build is running here. Waiting for it to end.');
  return waitForLock(join(WORK_FOLDER, 'lock'), waiting, signal);
}

async function make(directory: string, options: BuildOptions): Promise<Finished> {
  const { env = process.env, force = false } = options;
  const settings = readSiteSettings(env);
  const site = join(WORK_FOLDER, 'site');
  await runAstro(site, force, options);
  await move(site, directory);
  return finishSite(directory, settings);
}

/** Builds and completes the site, and moves it to `directory`, replacing what is there. @throws BuildError */
export async function buildInto(directory: string, options: BuildOptions): Promise<Finished> {
  using _lock = await lockBuilds(options);
  return await make(directory, options);
}

/** Builds beside a folder and replaces it by one rename. If that fails, the folder stays. @throws BuildError */
export async function buildSite(target: string, options: BuildOptions): Promise<Finished> {
  const place = resolve(target);
  const beside = (what: string): string => join(dirname(place), `.${basename(place)}.${what}`);
  const [next, old] = [beside('next'), beside('old')];
  using _lock = await lockBuilds(options);
  // The previous build was killed between its two renames.
  if (existsSync(old) && !existsSync(place)) renameSync(old, place);
  await Promise.all([remove(old), remove(next)]);
  try {
    const built = await make(next, options);
    if (parseSettings(PUBLISH, options.env ?? process.env).PRECOMPRESS)
      await writeBuildInfo(next, await addDictionary(next, Object.keys(built.report.products)));
    if (existsSync(place)) renameSync(place, old);
    renameSync(next, place);
    await remove(old);
    return built;
  } finally {
    await remove(next);
  }
}
