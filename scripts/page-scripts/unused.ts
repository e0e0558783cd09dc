import { globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const EXTENSION = '.js';
const OF_A_NAME = /[\w.@-]/;
const OF_A_WORD = /\w/;

/** File names of scripts that a page or a script mentions. A pattern over the whole text took milliseconds a page. */
export function scriptNamesIn(text: string): string[] {
  const names: string[] = [];
  for (let dot = text.indexOf(EXTENSION); dot !== -1; dot = text.indexOf(EXTENSION, dot + 1)) {
    const end = dot + EXTENSION.length;
    let start = dot;
    while (start > 0 && OF_A_NAME.test(text.charAt(start - 1))) start -= 1;
    if (start < dot && !OF_A_WORD.test(text.charAt(end))) names.push(text.slice(start, end));
  }
  return names;
}

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
