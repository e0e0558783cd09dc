import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toldRelease } from './after-switch.ts';
import { BUILD_INFO, buildInfo } from './build-info.ts';
import { compressSite } from './compress.ts';
import type { Hosting } from './hosting.ts';
import { writeHostFiles } from './hosts/write.ts';
import { type Manifest, manifestFile, manifestText, readManifest } from './manifest.ts';
import { progress } from './progress.ts';
import { CURRENT, KEPT, listReleases, SITE } from './releases.ts';
import { carryAssets, reuseUnchanged } from './reuse.ts';

/** Adds the assets of the releases that will be kept beside this one, and of those whose pages are open now. */
async function carryKeptAssets(root: string, site: string, before: Manifest | undefined): Promise<void> {
  const releases = listReleases(root);
  const open = releases.filter((id) => id === before?.id || id === toldRelease(root));
  // One after the other: each of them names every file of a large shop.
  for (const id of new Set([...releases.slice(1 - KEPT), ...open])) {
    const { files = {} } = (await readManifest(join(root, id))) ?? {};
    carryAssets(site, { site: join(root, id, SITE), files });
  }
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
  await carryKeptAssets(root, site, before);
  await writeFile(join(site, BUILD_INFO), buildInfo(manifest));
  await writeHostFiles(folder, hosting, {
    site: join(root, manifest.id, SITE),
    live: join(root, CURRENT, SITE),
  });
  await writeFile(manifestFile(folder), manifestText(manifest));
}
