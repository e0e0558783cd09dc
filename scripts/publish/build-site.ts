import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type AstroOptions, astroBuild } from './astro-build.ts';
import { BuildError } from './build-error.ts';
import { codeHash } from './code-hash.ts';
import { type Finished, finishSite } from './finish.ts';
import { openPageCache } from './page-cache.ts';
import { readSiteSettings } from './site-settings.ts';
import { cleanUp, discard, stagingOf, swapIn } from './staging.ts';

export type BuildOptions = Omit<AstroOptions, 'outDir'> & {
  /** The folder the finished site takes the place of. */
  readonly target: string;
};

/** Builds and completes the site in an empty folder. @throws BuildError with a message for a person */
export async function buildInto(directory: string, options: Omit<AstroOptions, 'outDir'>): Promise<Finished> {
  const env = options.env ?? process.env;
  const settings = readSiteSettings(env);
  const waiting = (): void => console.log('Another build is running here. Waiting for it to end.');
  const cache = await openPageCache(codeHash(env), waiting, options.signal);
  try {
    const built = await astroBuild({
      ...options,
      outDir: directory,
      force: !cache.isUsable || options.force === true,
    });
    if (!built.ok) throw new BuildError(built.message);
    cache.keep();
  } finally {
    cache.release();
  }
  if (!existsSync(directory)) throw new BuildError('The build wrote no pages. Nothing was published.');
  return finishSite(directory, settings);
}

/**
 * Builds the site beside the target and puts it there whole, in one rename (faults 1, 2, 81). The target stays as it
 * was when anything fails.
 * @throws BuildError with a message for a person
 */
export async function buildSite({ target, ...options }: BuildOptions): Promise<Finished> {
  const place = resolve(target);
  mkdirSync(dirname(place), { recursive: true });
  cleanUp(place);
  const staging = stagingOf(place);
  discard(staging);
  try {
    const finished = await buildInto(staging, options);
    swapIn(staging, place);
    return finished;
  } finally {
    discard(staging);
  }
}
