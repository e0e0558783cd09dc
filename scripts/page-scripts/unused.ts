import { globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const SCRIPT = /[\w.@-]+\.js\b/g;

/** File names of scripts that a page or a script mentions. */
export const scriptNamesIn = (text: string): string[] => text.match(SCRIPT) ?? [];

/** Deletes the scripts of `folder` that neither a page nor a script it leads to names any more. */
export function removeUnused(folder: string, named: Iterable<string>): void {
  const files = new Set(globSync('*.js', { cwd: folder }));
  const used = new Set<string>();
  const queue = [...named];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const file = basename(name);
    if (used.has(file) || !files.has(file)) continue;
    used.add(file);
    queue.push(...scriptNamesIn(readFileSync(join(folder, file), 'utf8')));
  }
  for (const file of files) if (!used.has(file)) rmSync(join(folder, file));
}
