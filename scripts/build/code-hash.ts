import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['src', 'scripts', 'public'];
const FILES = ['astro.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** The demo shop's content reaches pages through the API alone. */
const CONTENT = join('scripts', 'demo');

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(root, CONTENT) + sep))
    .sort();
}

/** A hash that changes when the code or a build setting changes, but not when only the catalogue does. */
export function codeHash(env: Readonly<Record<string, string | undefined>>, root = ROOT): string {
  const hash = createHash('sha256');
  const files = [
    ...FOLDERS.flatMap((folder) => filesIn(root, folder)),
    ...FILES.map((file) => join(root, file)).filter(existsSync),
  ];
  for (const file of files) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  for (const name of Object.keys(env)
    .filter((each) => each.startsWith('PUBLIC_'))
    .sort()) {
    hash.update(`${name}=${env[name]}\0`);
  }
  return hash.digest('base64url');
}
