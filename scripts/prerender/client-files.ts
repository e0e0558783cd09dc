import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ASSETS = '_astro';

/** Puts what browsers load beside the pages: public files, pictures, fonts, and of the scripts those that are used. */
export function copyClient(from: string, to: string, scripts: ReadonlyMap<string, string>): void {
  const put = (source: string, name: string): void => {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    copyFileSync(source, join(to, name));
  };
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(from.length + 1);
    const isScript = name.startsWith(ASSETS) && name.endsWith('.js');
    if (entry.isFile() && !isScript) put(path, name);
  }
  for (const [name, path] of scripts) put(path, join(ASSETS, name));
}
