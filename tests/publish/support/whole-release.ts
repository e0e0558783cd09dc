import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, readManifest } from '#scripts/publish/release/manifest.ts';

/** Returns the id of the live release. Throws unless all its files are there with the hashes of its manifest. */
export async function assertWhole(root: string): Promise<string> {
  const folder = realpathSync(join(root, 'current'));
  const manifest = await readManifest(folder);
  if (!manifest) throw new Error(`${folder} has no release.json`);
  for (const [file, hash] of Object.entries(manifest.files)) {
    if (hashOf(readFileSync(join(folder, 'site', file))) !== hash)
      throw new Error(`${folder}: ${file} is of another release`);
  }
  const info = readFileSync(join(folder, 'site/build-info.json'), 'utf8');
  if (!info.includes(manifest.id)) throw new Error(`${folder}: build-info.json is of another release`);
  return manifest.id;
}
