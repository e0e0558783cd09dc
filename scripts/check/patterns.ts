import { globSync, readFileSync } from 'node:fs';
import { check } from 'recheck';
import { parseSync, Visitor } from 'rolldown/utils';

/*
 * Checks every regular expression of src and scripts with recheck. None may take more than linear time, because a
 * stranger's text could then block the process or the page. Harmless findings are in BOUNDED, with the reason. Patterns
 * that are built at run time are not checked, nor those of Astro files and of these checks, which read no stranger's
 * text.
 */

const SETTING = 'reads a setting of the operator';

/** All patterns of a file. */
const ALL = '*';

/** Patterns that only read our own or short texts, by file: they may take more than linear time. */
const BOUNDED: readonly (readonly [file: string, pattern: string, reason: string])[] = [
  ['src/api/addresses.ts', String.raw`/\/+$/`, SETTING],
  [
    'src/server/catalogue/stored-products.ts',
    '/^-+|-+$/g',
    'reads at most MAX_ID_LENGTH characters, without two hyphens in a row',
  ],
  // Its long words alone would take recheck half a minute.
  [
    'src/server/publishing/explain-failure.ts',
    ALL,
    'reads messages of the watcher, with ids of at most 100 characters',
  ],
  ['scripts/publish/release/check-release.ts', '/[?#].*$/', 'reads the addresses of a built page'],
  [
    'scripts/publish/site/content-security-policy.ts',
    String.raw`/<head(?:\s[^>]*)?>(?:\s*<meta charset=[^>]*>)?/i`,
    'reads a built page, which begins with its only head',
  ],
  [
    'src/pages/listing/search/[shard].json.ts',
    String.raw`/([^/]+)\.json$/`,
    'reads a path that shardPath has made',
  ],
  ['src/domain/tint.ts', '/pomegranate|apple(?!.*pine)|tomato/i', 'reads the name of a product'],
  ['src/domain/shared-cart.ts', '/:+$/', 'reads three colons at most: those in the parts are encoded'],
  [
    'src/components/shell/stale.ts',
    String.raw`/\/_astro\/[^?]+\.js$/`,
    'reads the addresses of the page’s own resources',
  ],
];

interface Found {
  readonly file: string;
  readonly pattern: string;
}

function patternsOf(file: string): Found[] {
  const found: Found[] = [];
  const note = (node: object): void => {
    if ('regex' in node && 'raw' in node) found.push({ file, pattern: String(node.raw) });
  };
  new Visitor({ Literal: note }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return found;
}

/** Returns what is wrong with a pattern; undefined if its time is linear. */
async function complaintOf(pattern: string): Promise<string | undefined> {
  const end = pattern.lastIndexOf('/');
  const result = await check(pattern.slice(1, end), pattern.slice(end + 1), {
    randomSeed: 1,
    // The defaults are times: on a busy machine, a slow check would count as a finding.
    timeout: null,
    seedingTimeout: null,
    incubationTimeout: null,
    attackTimeout: null,
  });
  if (result.status === 'safe') return undefined;
  return result.status === 'vulnerable' ? result.complexity.summary : `not checked: ${result.error.kind}`;
}

const found = globSync('{src,scripts}/**/*.{ts,tsx}', { exclude: ['scripts/check/**'] }).flatMap(patternsOf);
const isBounded = ({ file, pattern }: Found): boolean =>
  BOUNDED.some(([ownFile, own]) => ownFile === file && (own === ALL || own === pattern));
const wrong: string[] = [];
// Exceptions are skipped, because recheck takes longest for patterns that are not linear.
for (const [pattern, places] of Map.groupBy(
  found.filter((place) => !isBounded(place)),
  ({ pattern }) => pattern,
)) {
  const complaint = await complaintOf(pattern);
  if (complaint !== undefined) wrong.push(...places.map(({ file }) => `${file}: ${pattern}: ${complaint}.`));
}
const outdated = BOUNDED.filter(
  ([file, pattern]) =>
    !found.some((place) => place.file === file && (pattern === ALL || place.pattern === pattern)),
).map(([file, pattern]) => `${file} ${pattern} needs no exception any more.`);

if (wrong.length + outdated.length > 0) {
  console.error(
    [
      ...wrong,
      ...outdated,
      '',
      'A pattern of linear time never matches the same character in two ways. Exceptions: scripts/check/patterns.ts.',
    ].join('\n'),
  );
  process.exit(1);
}
console.log(`${found.length} patterns are linear or read a bounded text.`);
process.exit(0);
