import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STORED_DATA } from '#domain/stored-data.ts';

/** The storage module itself, which receives its keys as arguments. */
const ENGINE = 'src/stores/shell/storage.ts';
const WRITES =
  /(?:writeStored|tabStorage\.write|(?:local|session)Storage\.setItem|Cookies\.set|caches\.open)\(\s*([^,)\s]+)/g;
const OTHER_WAYS = /document\.cookie\s*=|cookieStore\.set|indexedDB\.open|(?:local|session)Storage\[/;

const sources = globSync('src/**/*.{ts,tsx,astro}')
  .filter((file) => file !== ENGINE)
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const constant = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name}\\s*=\\s*['\`](?:\\$\\{OWN\\})?([^'\`]+)`).exec(text)?.[1];

/** Resolves the key of an argument: a text, or a constant of this or another file. */
function keyOf(argument: string, text: string): string | undefined {
  const literal = /^['"`](?:\$\{OWN\})?([^'"`]+)['"`]$/.exec(argument)?.[1];
  if (literal !== undefined) return literal;
  if (!/^\w+$/.test(argument)) return undefined;
  const own = constant(text, argument);
  return own ?? sources.map((source) => constant(source.text, `export const ${argument}`)).find(Boolean);
}

const written = sources.flatMap(({ file, text }) =>
  [...text.matchAll(WRITES)].map(([, argument = '']) => ({ file, argument, key: keyOf(argument, text) })),
);

const isListed = (key: string): boolean =>
  STORED_DATA.some(({ key: known, where }) => (where === 'offline' ? key.startsWith(known) : key === known));

it('the list of stored data contains every key that the code writes', () => {
  const cacheNames = 'src/service-worker/worker.ts';
  const unknown = written.filter(
    ({ file, key }) => file !== cacheNames && (key === undefined || !isListed(key)),
  );
  expect(unknown).toEqual([]);
  expect(readFileSync(cacheNames, 'utf8')).toMatch(/=> `\$\{OWN\}\$\{kind\}`/);
  expect(written.length).toBeGreaterThan(12);
});

it('no code writes to storage in another way', () => {
  expect(sources.filter(({ text }) => OTHER_WAYS.test(text)).map(({ file }) => file)).toEqual([]);
});

it('the list of stored data has no key twice in one storage area', () => {
  const places = STORED_DATA.map(({ where, key }) => `${where} ${key}`);
  expect(new Set(places).size).toBe(places.length);
});
