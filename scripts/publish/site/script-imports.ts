import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { init, parse } from 'es-module-lexer';

/** The `d` of a static import in es-module-lexer. */
const STATIC = -1;

/** The bundler writes dynamic imports with template literals, and the lexer includes their quotes in the address. */
const QUOTES = /^[`'"]|[`'"]$/g;

/** The addresses that a built script imports: statically, and with `all` also dynamically. */
async function importsOf(directory: string, address: string, which: 'static' | 'all'): Promise<string[]> {
  await init;
  const code = await readFile(join(directory, address), 'utf8');
  const [imports] = parse(code);
  return imports
    .filter(({ d }) => d === STATIC || which === 'all')
    .map(({ s, e }) => posix.resolve(posix.dirname(address), code.slice(s, e).replace(QUOTES, '')));
}

/** The given files (addresses such as `/_astro/shop.js`) and everything that they import, sorted. */
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

/** Bytes. A smaller file arrives while a large one is still on its way, so preloading it gains nothing. */
const LARGE_BYTES = 6_000;

/**
 * The large scripts that a page needs but does not name, such as React. Without a preload the browser finds them only in
 * the imports of other scripts, one round trip after the other.
 * @param named the addresses that stand in the page
 */
export async function largeImports(directory: string, named: readonly string[]): Promise<string[]> {
  const needed = await withImports(directory, named, 'static');
  return needed.filter(
    (address) => !named.includes(address) && statSync(join(directory, address)).size > LARGE_BYTES,
  );
}
