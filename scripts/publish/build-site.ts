import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storeInfoRequest } from '#api/requests.ts';
import { readStoreInfo } from '#scripts/build/read-store-info.ts';
import { type AstroOptions, runAstro } from '#scripts/build/run-astro.ts';
import { BuildError, RefusedRelease } from '#scripts/program/explained-error.ts';
import type { Environment } from '#scripts/program/setting.ts';
import { falseClaims } from '#scripts/publish/checks/demo.ts';
import { waitForLock } from '#scripts/publish/release/lock.ts';
import { cleanUp, discard, stagingOf, swapIn } from '#scripts/publish/release/staging.ts';
import { readPublishSettings } from '#scripts/publish/settings.ts';
import { readSiteSettings } from '#scripts/publish/site/site-settings.ts';
import { type Finished, finishSite } from './finish.ts';
import { addDictionary } from './release/compress.ts';
import { BUILD_INFO, unpublishedInfo } from './release/manifest.ts';

/** How often the question before the build is sent again, where it has no answer. */
const RETRIES = 2;

/**
 * Every build is made in this folder. Its path is a constant in the pages' code (__SITE_FOLDER__), so another folder
 * would make Astro build every page again.
 */
const WORKPLACE = fileURLToPath(new URL('../../.cache/build', import.meta.url));

export interface BuildOptions extends AstroOptions {
  /** Builds every page again, even if nothing has changed. */
  readonly force?: boolean;
}

/** Moves a folder by a rename, or by a copy if the two places are on different file systems. */
async function move(from: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await cp(from, to, { recursive: true });
    rmSync(from, { recursive: true });
  }
}

/**
 * A live shop must not name the demo's address or people as its own. The API is asked before the build, so that nobody waits for
 * pages that are refused.
 * @throws RefusedRelease that says where to set them; BuildError where the API does not answer
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

/**
 * Builds and completes the site, and moves it to `directory`. It replaces what is there.
 * @throws BuildError with a message for a person
 */
export async function buildInto(directory: string, options: BuildOptions): Promise<Finished> {
  const settings = readSiteSettings(options.env ?? process.env);
  await refuseFalseClaims(options.env ?? process.env);
  const waiting = (): void => console.log('Another build is running here. Waiting for it to end.');
  const lock = await waitForLock(join(WORKPLACE, 'lock'), waiting, options.signal);
  try {
    const site = join(WORKPLACE, 'site');
    await runAstro(site, options.force === true, options);
    await move(site, directory);
  } finally {
    lock.release();
  }
  return finishSite(directory, settings);
}

/**
 * Builds the site beside the target and puts it there as a whole, by one rename. If anything fails,
 * the target stays as it was.
 * @throws BuildError with a message for a person
 */
export async function buildSite({
  target,
  ...options
}: BuildOptions & {
  /** The folder that the finished site replaces. */
  readonly target: string;
}): Promise<Finished> {
  const place = resolve(target);
  mkdirSync(dirname(place), { recursive: true });
  cleanUp(place);
  const staging = stagingOf(place);
  discard(staging);
  try {
    const built = await buildInto(staging, options);
    if (readPublishSettings(options.env ?? process.env).PRECOMPRESS) {
      const dictionary = await addDictionary(staging, [...built.facts.keys()]);
      await writeFile(join(staging, BUILD_INFO), unpublishedInfo(dictionary));
    }
    swapIn(staging, place);
    return built;
  } finally {
    discard(staging);
  }
}
