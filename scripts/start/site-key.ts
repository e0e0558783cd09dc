import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageFolder } from '#scripts/api/catalogue/images.ts';
import { codeHash } from '#scripts/build/code-hash.ts';

export interface SiteParts {
  /** The build's settings, from `siteSettings`. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** The version of the API's catalogue. */
  readonly version: string | undefined;
  /** The folder of the catalogue. The files of its images are hashed too. */
  readonly catalogue: string;
}

/** A hash that changes whenever the built site may change: with the code, a build setting or the catalogue. */
export const siteKey = async ({ settings, version, catalogue }: SiteParts): Promise<string> => {
  const hash = createHash('sha256')
    .update(codeHash(settings))
    .update(JSON.stringify([settings, version]));
  const folder = imageFolder(catalogue);
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    hash.update(`\0${name}\0`).update(await readFile(join(folder, name)));
  }
  return hash.digest('hex');
};
