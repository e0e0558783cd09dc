import { createHash } from 'node:crypto';
import { glob, stat } from 'node:fs/promises';
import { join } from 'node:path';

const INPUTS = [
  '{src,public,scripts/catalogue,scripts/publish}/**/*',
  'astro.config.mjs',
  'package-lock.json',
];

/** Changes whenever the built site may: with a file it is made of, or a setting of the build. */
export const siteKey = async (
  settings: Readonly<Record<string, string | undefined>>,
  root = process.cwd(),
): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  const files: string[] = [];
  for await (const file of glob(INPUTS, { cwd: root })) files.push(file);
  for (const file of files.sort()) {
    const { mtimeMs, size } = await stat(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
};
