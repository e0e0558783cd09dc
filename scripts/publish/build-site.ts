import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AstroOptions } from './astro-build.ts';
import { BuildError } from './build-error.ts';
import { type Finished, finishSite } from './finish.ts';
import { keptRenderer } from './kept-renderer.ts';
import { renderSite } from './render-site.ts';
import { readSiteSettings } from './site-settings.ts';
import { cleanUp, discard, stagingOf, swapIn } from './staging.ts';

export interface BuildOptions extends AstroOptions {
  /** Compiles the code and makes every page anew, whatever an earlier build left. */
  readonly force?: boolean;
}

/** Builds and completes the site in an empty folder. @throws BuildError with a message for a person */
export async function buildInto(directory: string, options: BuildOptions): Promise<Finished> {
  const settings = readSiteSettings(options.env ?? process.env);
  const fresh = options.force === true;
  const kept = await keptRenderer(options, fresh);
  try {
    const facts = await renderSite({ ...options, kept: kept.folder, directory, fresh });
    if (!existsSync(directory)) throw new BuildError('The build wrote no pages. Nothing was published.');
    return await finishSite(directory, settings, { facts, memory: kept.folder });
  } finally {
    kept.release();
  }
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
}): Promise<Finished> {
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
