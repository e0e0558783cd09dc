import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { init, parse } from 'es-module-lexer';
import pLimit from 'p-limit';

/** The `d` of a static import in es-module-lexer. */
const STATIC = -1;

/** The bundler writes dynamic imports with template literals, and the lexer includes their quotes in the address. */
const QUOTES = /^[`'"]|[`'"]$/g;

/** Returns the addresses that a built script imports: statically, and with `all` also dynamically. */
async function importsOf(directory: string, address: string, which: 'static' | 'all'): Promise<string[]> {
  await init;
  const code = await readFile(join(directory, address), 'utf8');
  const [imports] = parse(code);
  return imports
    .filter(({ d }) => d === STATIC || which === 'all')
    .map(({ s, e }) => posix.resolve(posix.dirname(address), code.slice(s, e).replace(QUOTES, '')));
}

/** Returns the given files (addresses such as `/_astro/shop.js`) and everything that they import, sorted. */
export async function withImports(
  directory: string,
  first: readonly string[],
  which: 'static' | 'all',
): Promise<string[]> {
  const found = new Set<string>();
  const queue = [...first];
  for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
    if (found.has(address) || !existsSync(join(directory, address))) continue;
    found.add(address);
    if (address.endsWith('.js')) queue.push(...(await importsOf(directory, address, which)));
  }
  return [...found].sort();
}

/** Returns every file of a built site, as sorted paths with slashes. */
export async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** Returns the address of a file on a static host, percent-encoded as in a browser's request. */
export const addressOf = (file: string): string =>
  encodeURI(`/${file.replace(/\.html$/, '').replace(/(^|\/)index$/, '')}`).replace(/(.)\/$/, '$1');

/** Large shops have more files than a process may open. */
const AT_ONCE = 16;

/** Like `Promise.all`, but works on AT_ONCE items at the same time. */
export const forAll = <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) =>
  pLimit(AT_ONCE).map(items, work);
