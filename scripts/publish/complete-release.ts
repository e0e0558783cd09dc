import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILD_INFO, buildInfo } from './build-info.ts';
import { compressSite } from './compress.ts';
import type { Hosting } from './hosting.ts';
import { writeHostFiles } from './hosts/write.ts';
import { type Manifest, manifestFile, manifestText, readManifest } from './manifest.ts';
import { progress } from './progress.ts';
import { CURRENT, KEPT, listReleases, SITE } from './releases.ts';
import { carryAssets, reuseUnchanged } from './reuse.ts';

/** The releases that will be kept beside the next one, with what they are made of. */
async function keptReleases(root: string): Promise<{ site: string; manifest: Manifest }[]> {
  const kept = listReleases(root).slice(1 - KEPT);
  const read = kept.map(async (id) => {
    const manifest = await readManifest(join(root, id));
    return manifest ? [{ site: join(root, id, SITE), manifest }] : [];
  });
  return (await Promise.all(read)).flat();
}

export interface CompleteOptions {
  readonly root: string;
  /** The folder in which the release is made. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly before: Manifest | undefined;
  readonly hosting: Hosting;
  readonly precompress: boolean;
}

/** Gives a checked site all that a release has: shared files, compressed forms, older assets, host files. */
export async function completeRelease({
  root,
  folder,
  manifest,
  before,
  hosting,
  precompress,
}: CompleteOptions): Promise<void> {
  const site = join(folder, SITE);
  if (before) {
    reuseUnchanged(site, manifest.files, { site: join(root, before.id, SITE), files: before.files });
  }
  if (precompress) {
    const bar = progress('Compressing', 'files');
    await compressSite(site, Object.keys(manifest.files), bar.update);
    bar.done();
  }
  carryAssets(site, await keptReleases(root));
  await writeFile(join(site, BUILD_INFO), buildInfo(manifest));
  await writeHostFiles(folder, hosting, {
    site: join(root, manifest.id, SITE),
    live: join(root, CURRENT, SITE),
  });
  await writeFile(manifestFile(folder), manifestText(manifest));
}
