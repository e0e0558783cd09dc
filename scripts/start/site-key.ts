import { createHash } from 'node:crypto';
import { glob, stat } from 'node:fs/promises';

const INPUTS = ['src/**/*', 'public/**/*', 'scripts/catalogue/**/*', 'astro.config.mjs', 'package-lock.json'];

/** Changes whenever the built site may: with a file it is made of, or a setting of the build. */
export const siteKey = async (settings: Readonly<Record<string, string | undefined>>): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  const files: string[] = [];
  for await (const file of glob(INPUTS)) files.push(file);
  for (const file of files.sort()) {
    const { mtimeMs, size } = await stat(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
};
