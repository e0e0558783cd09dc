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
async function carryKeptAssets({ root, before, precompress }: CompleteOptions, site: string): Promise<void> {
  const releases = listReleases(root);
  const open = releases.filter((id) => id === before?.id || id === toldRelease(root));
  // One after the other: each of them names every file of a large shop.
  for (const id of new Set([...releases.slice(1 - KEPT), ...open])) {
    const { files = {} } = (await readManifest(join(root, id))) ?? {};
    carryAssets(site, { site: join(root, id, SITE), files }, precompress);
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
export async function completeRelease(options: CompleteOptions): Promise<void> {
  const { root, folder, before, hosting, precompress } = options;
  const site = join(folder, SITE);
  const files = before
    ? reuseUnchanged(
        site,
        options.manifest.files,
        { site: join(root, before.id, SITE), files: before.files },
        precompress,
      )
    : options.manifest.files;
  const manifest = { ...options.manifest, files };
  if (precompress) {
    const bar = progress('Compressing', 'files');
    await compressSite(site, Object.keys(manifest.files), bar.update);
    bar.done();
  }
  await carryKeptAssets(options, site);
  await writeFile(join(site, BUILD_INFO), buildInfo(manifest));
  await writeHostFiles(folder, hosting, {
    site: join(root, manifest.id, SITE),
    live: join(root, CURRENT, SITE),
  });
  await writeFile(manifestFile(folder), manifestText(manifest));
}
