import { existsSync, readFileSync } from 'node:fs';
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

/** The scripts of these folders that the named ones lead to, themselves included: where each lies, by name. */
export function usedScripts(folders: readonly string[], named: Iterable<string>): Map<string, string> {
  const used = new Map<string, string>();
  const queue = [...named];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const file = basename(name);
    const path = folders.map((folder) => join(folder, file)).find((each) => existsSync(each));
    if (used.has(file) || path === undefined || !file.endsWith(EXTENSION)) continue;
    used.set(file, path);
    queue.push(...scriptNamesIn(readFileSync(path, 'utf8')));
  }
  return used;
}
