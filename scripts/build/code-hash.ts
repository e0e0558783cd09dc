import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CODE = ['{src,scripts,public}/**', 'astro.config.mjs', 'package{,-lock}.json', 'tsconfig.json'];
/** The demo shop's content reaches pages only through the API. */
const CONTENT = ['scripts/demo/**'];

/** A hash that changes when the code or a build setting changes, but not when only the catalogue does. */
export function codeHash(env: Readonly<Record<string, string | undefined>>, root = ROOT): string {
  const hash = createHash('sha256');
  const files = globSync(CODE, { cwd: root, exclude: CONTENT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  for (const name of Object.keys(env).sort())
    if (name.startsWith('PUBLIC_')) hash.update(`${name}=${env[name]}\0`);
  return hash.digest('base64url');
}
