import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AstroOptions, runAstro } from '#scripts/build/run-astro.ts';
import { BUILD_INFO, unpublishedInfo } from './build-info.ts';
import { addDictionary } from './dictionary.ts';
import { type Finished, finishSite } from './finish.ts';
import { waitForLock } from './lock.ts';
import { readSiteSettings } from './site-settings.ts';
import { cleanUp, discard, stagingOf, swapIn } from './staging.ts';

/**
 * Every build is made in this folder. Its path is a constant of the pages' code (__SITE_FOLDER__), so another folder would
 * make Astro build every page anew.
 */
const WORKPLACE = fileURLToPath(new URL('../../.cache/build', import.meta.url));

export interface BuildOptions extends AstroOptions {
  /** Makes every page anew, whatever an earlier build left. */
  readonly force?: boolean;
}

export interface Built extends Finished {
  /** How many pages were restored from an earlier build. */
  readonly restored: number;
}

/** By a rename, or by a copy where the two are on different file systems. */
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
 * Builds and completes the site, and moves it to `directory`, replacing what is there.
 * @throws BuildError with a message for a person
 */
export async function buildInto(directory: string, options: BuildOptions): Promise<Built> {
  const settings = readSiteSettings(options.env ?? process.env);
  const waiting = (): void => console.log('Another build is running here. Waiting for it to end.');
  const lock = await waitForLock(join(WORKPLACE, 'lock'), waiting, options.signal);
  let restored: number;
  try {
    const site = join(WORKPLACE, 'site');
    restored = await runAstro(site, options.force === true, options);
    await move(site, directory);
  } finally {
    lock.release();
  }
  return { ...(await finishSite(directory, settings)), restored };
}

/**
 * Builds the site beside the target and puts it there whole, in one rename (faults 1, 2, 81). The target stays as it
 * was when anything fails.
 * @throws BuildError with a message for a person
 */
export async function buildSite({
  target,
  ...options
}: BuildOptions & {
  /** The folder the finished site takes the place of. */
  readonly target: string;
}): Promise<Built> {
  const place = resolve(target);
  mkdirSync(dirname(place), { recursive: true });
  cleanUp(place);
  const staging = stagingOf(place);
  discard(staging);
  try {
    const built = await buildInto(staging, options);
    if ((options.env ?? process.env).PRECOMPRESS !== 'false') {
      const dictionary = await addDictionary(staging, [...built.facts.keys()]);
      await writeFile(join(staging, BUILD_INFO), unpublishedInfo(dictionary));
    }
    swapIn(staging, place);
    return built;
  } finally {
    discard(staging);
  }
}
