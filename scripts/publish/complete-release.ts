import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { progress } from '#scripts/program/progress.ts';
import { compressSite } from '#scripts/publish/release/compress.ts';
import { ALL_FORMS, type Forms, linkAssets, linkEqualFiles } from '#scripts/publish/release/link.ts';
import { type Manifest, readManifest, writeManifest } from '#scripts/publish/release/manifest.ts';
import { CURRENT, KEPT, listReleases, SITE } from '#scripts/publish/release/releases.ts';
import type { Hosting } from '#scripts/publish/site/hosting.ts';
import { dictionaryOf } from '#scripts/serve/dictionary.ts';
import { writeHostFiles } from './hosts/write.ts';
import { BUILD_INFO, buildInfo } from './release/manifest.ts';

/** Adds the assets of the releases that stay beside this one, and of the live one, whose pages visitors have open. */
async function linkOlderAssets({ root, before }: CompleteOptions, site: string, forms: Forms): Promise<void> {
  const releases = listReleases(root);
  const live = releases.filter((id) => id === before?.id);
  // We read the manifests one after the other, because each names every file of a large shop.
  for (const id of new Set([...releases.slice(1 - KEPT), ...live])) {
    const { files = {} } = (await readManifest(join(root, id))) ?? {};
    linkAssets(site, { site: join(root, id, SITE), files }, forms);
  }
}

export interface CompleteOptions {
  readonly root: string;
  /** The folder in which the release is being made. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly before: Manifest | undefined;
  readonly hosting: Hosting;
  readonly precompress: boolean;
  readonly onCompressed?: (done: number, total: number) => void;
}

/** The forms that this release may share with the one before. A dictionary's forms fit no other dictionary. */
function sharedForms({ manifest, before, precompress }: CompleteOptions): Forms {
  if (!precompress) return [''];
  return manifest.dictionary === before?.dictionary ? ALL_FORMS : ['', '.br', '.gz'];
}

/** Adds to a checked site all that a release needs: shared files, compressed forms, older assets, host files. */
export async function completeRelease(options: CompleteOptions): Promise<void> {
  const { root, folder, manifest, before, hosting, precompress } = options;
  const site = join(folder, SITE);
  const forms = sharedForms(options);
  if (before) {
    const old = { site: join(root, before.id, SITE), files: before.files };
    await linkEqualFiles({ site, files: manifest.files }, old, forms);
  }
  const dictionary =
    manifest.dictionary === undefined
      ? undefined
      : dictionaryOf(await readFile(join(site, manifest.dictionary)));
  if (precompress) {
    const bar = progress('Compressing', 'files');
    await compressSite(site, Object.keys(manifest.files), dictionary, (done, total) => {
      bar.update(done, total);
      options.onCompressed?.(done, total);
    });
    bar.done();
  }
  await linkOlderAssets(options, site, forms);
  await writeFile(join(site, BUILD_INFO), buildInfo(manifest));
  const served = dictionary ? { ...hosting, available: dictionary.available } : hosting;
  await writeHostFiles(folder, served, {
    site: join(root, manifest.id, SITE),
    live: join(root, CURRENT, SITE),
  });
  await writeManifest(folder, manifest);
}
