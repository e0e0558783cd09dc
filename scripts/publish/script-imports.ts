import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { init, parse } from 'es-module-lexer';

/** What es-module-lexer says of an import that is no call. */
const STATIC = -1;
/** The bundler writes the addresses of later parts as template literals, which the lexer gives with their quotes. */
const QUOTES = /^[`'"]|[`'"]$/g;

/** The addresses a built script imports: at once, and with `all` later as well. */
async function importsOf(directory: string, address: string, which: 'static' | 'all'): Promise<string[]> {
  await init;
  const code = await readFile(join(directory, address), 'utf8');
  const [imports] = parse(code);
  return imports
    .filter(({ d }) => d === STATIC || which === 'all')
    .map(({ s, e }) => posix.resolve(posix.dirname(address), code.slice(s, e).replace(QUOTES, '')));
}

/** These files of a site, as addresses such as `/_astro/shop.js`, and all that they import, sorted. */
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
