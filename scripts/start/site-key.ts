import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { artFolder } from '#scripts/api/catalogue/images.ts';
import { codeHash } from '#scripts/build/code-hash.ts';

export interface SiteParts {
  /** Of the build, as `siteSettings` chooses them. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Of the catalogue that the API sells. */
  readonly version: string | undefined;
  /** Where its pictures are: the version does not say whether one was drawn anew. */
  readonly catalogue: string;
}

/** Changes whenever the built site may: with its code, a setting of the build, or what is on sale. */
export const siteKey = async ({ settings, version, catalogue }: SiteParts): Promise<string> => {
  const hash = createHash('sha256')
    .update(codeHash(settings))
    .update(JSON.stringify([settings, version]));
  const pictures = artFolder(catalogue);
  for (const name of (await readdir(pictures).catch(() => [])).sort()) {
    hash.update(`\0${name}\0`).update(await readFile(join(pictures, name)));
  }
  return hash.digest('hex');
};
