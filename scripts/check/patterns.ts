import { globSync, readFileSync } from 'node:fs';
import { check } from 'recheck';
import ts from 'typescript';

/*
 * Judges every pattern of src and scripts by recheck: none may take more than linear time, because a stranger's text
 * could then keep the process or the page busy. What it finds and is harmless is in BOUNDED, and what
 * is put together at run time in BUILT, each with the reason.
 */

const OWN_FILES = 'reads the files of this repository';
const SETTING = 'reads a setting of the operator';

/** Patterns of more than linear time that read our own or a short text, by file. */
const BOUNDED: readonly (readonly [file: string, pattern: string, reason: string])[] = [
  ['scripts/check/spec.ts', String.raw`/\[spec ([^\]]+)\]/g`, OWN_FILES],
  [
    'scripts/check/rooms.ts',
    String.raw`/^\s*(?:import|export)\s(?:[^'";]*?from\s*)?'(#scripts\/|\.\/)([^']+)'|import\('(#scripts\/|\.\/)([^']+)'\)/gm`,
    OWN_FILES,
  ],
  [
    'src/catalogue/catalogue.ts',
    String.raw`/^(?!\.+$)(?!.*\.(?:html|br|gz|dcz)$)[\w.~-]{1,200}$/i`,
    'reads an id in the build; recheck finds it linear on some runs only',
  ],
  ['src/api/base.ts', String.raw`/\/+$/`, SETTING],
  [
    'scripts/api/catalogue/stored-products.ts',
    '/^-+|-+$/g',
    'reads at most LONGEST characters, without two hyphens in a row',
  ],
  [
    'scripts/api/publishing/failure-words.ts',
    "/^Products '(.+)' and '(.+)' would be one file/",
    'reads a message of the watcher, with two ids of at most 100 characters',
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

/** Patterns that are put together at run time, by file. */
const BUILT: Readonly<Record<string, string>> = {
  'scripts/api/shop/fault-injection.ts':
    'made from the path of a fault with every sign escaped; only [^/]+ is repeated',
  'src/stores/account/form.ts': 'holds a number; a text of the server has at most 200 characters',
  'scripts/build/shared-files.ts': OWN_FILES,
  'src/domain/pattern.ts': 'a pattern of the server, whose steps are counted beforehand',
  'src/domain/phone.ts':
    'made from the constants at the head of the file; nothing in it is repeated without a bound',
  'src/api/token-cookie.ts': 'holds the name of a cookie',
};

interface Found {
  readonly file: string;
  /** As the file has it; undefined for one that is put together at run time. */
  readonly pattern: string | undefined;
}

/** What stands between the tags of a script, given the text from its name on. */
const scriptOf = (text: string): string => {
  const start = text.indexOf('>');
  return text[start - 1] === '/' ? '' : text.slice(start + 1, text.indexOf('</script>'));
};

/** The TypeScript of a file. Of an Astro file it is what stands in its frontmatter and its scripts. */
function codeOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.astro')) return text;
  const [, frontmatter = ''] = text.split('---\n');
  const [, ...scripts] = text.split('<script');
  return [frontmatter, ...scripts.map(scriptOf)].join('\n');
}

function patternsOf(file: string): Found[] {
  const source = ts.createSourceFile(file, codeOf(file), ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, pattern: node.text });
    if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(source) === 'RegExp'
    )
      found.push({ file, pattern: undefined });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What is wrong with a pattern; undefined where its time is linear. */
async function complaintOf(pattern: string): Promise<string | undefined> {
  const end = pattern.lastIndexOf('/');
  const judged = await check(pattern.slice(1, end), pattern.slice(end + 1), {
    timeout: 60_000,
    randomSeed: 1,
  });
  if (judged.status === 'safe') return undefined;
  return judged.status === 'vulnerable' ? judged.complexity.summary : `not judged: ${judged.error.kind}`;
}

const found = globSync('{src,scripts}/**/*.{ts,tsx,astro}').flatMap(patternsOf);
const complaints = new Map<string, string>();
for (const pattern of new Set(found.flatMap(({ pattern }) => pattern ?? []))) {
  const complaint = await complaintOf(pattern);
  if (complaint !== undefined) complaints.set(pattern, complaint);
}

const isBounded = ({ file, pattern }: Found): boolean =>
  BOUNDED.some(([ownFile, own]) => own === pattern && ownFile === file);
const wrong = found.flatMap((place) => {
  const { file, pattern } = place;
  if (pattern === undefined) return file in BUILT ? [] : [`${file}: a pattern is put together at run time.`];
  const complaint = complaints.get(pattern);
  return complaint === undefined || isBounded(place) ? [] : [`${file}: ${pattern}: ${complaint}.`];
});
const outdated = [
  ...BOUNDED.filter(
    ([file, pattern]) => !found.some((place) => place.file === file && place.pattern === pattern),
  ).map(([file, pattern]) => `${file} ${pattern}`),
  ...Object.keys(BUILT).filter(
    (file) => !found.some((place) => place.file === file && place.pattern === undefined),
  ),
].map((entry) => `${entry} needs no exception any more.`);

if (wrong.length + outdated.length > 0) {
  console.error(
    [
      ...wrong,
      ...outdated,
      '',
      'A pattern of linear time never tries the same sign in two ways. Exceptions: scripts/check/patterns.ts.',
    ].join('\n'),
  );
  process.exit(1);
}
console.log(`${found.length} patterns are linear or read a bounded text.`);
process.exit(0);
