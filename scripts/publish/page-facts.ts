import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { readPages } from './built-pages.ts';

/** What finishing and checking a site must know of a page. */
export interface PageFacts {
  /** CSP sources of its inline scripts that run, and of its style sheets: `'sha256-…'`. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Tags with a style attribute or an inline handler, which no policy can allow, shortened. */
  readonly forbidden: readonly string[];
  /** Not for search engines. */
  readonly noindex: boolean;
  /** Addresses of this site in its attributes, each once. What stands in a template is no link until a script uses it. */
  readonly links: readonly string[];
  /** Structured data that cannot be read. */
  readonly badData: boolean;
  /** Addresses of the scripts named in its attributes and of the fonts named in its styles. */
  readonly files: readonly string[];
}

/** Facts by file within the site, such as `product/a1.html`. */
export type SiteFacts = ReadonlyMap<string, PageFacts>;

const LINKING = new Set(['href', 'src', 'action', 'poster']);
/** JSON-LD and data scripts do not run. An import map and speculation rules count as scripts in a policy. */
const RUNS = /^(|module|importmap|speculationrules|(text|application)\/(java|ecma)script)$/;
const FORBIDDEN = /^(style|on[a-z]+)$/;
const OWN_SCRIPT = /^\/_astro\/[\w.~-]+\.js$/;
const FONTS = /\/_astro\/[\w.~-]+\.woff2/g;

/** Pages repeat the same inline code. Comparing a text with known texts of its length is faster than hashing it. */
const knownSources = new Map<number, { text: string; source: string }[]>();

/** The CSP source of an inline script or style sheet. */
export function sourceOf(text: string): string {
  const alike = knownSources.get(text.length) ?? [];
  const found = alike.find((each) => each.text === text);
  if (found) return found.source;
  const source = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  knownSources.set(text.length, [...alike, { text: copyOf(text), source }]);
  return source;
}

/** V8 keeps a page in memory as long as a piece of it is referred to. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** Pages share nearly all of their addresses: each is kept once. */
const knownTexts = new Map<string, string>();

function shared(text: string): string {
  const known = knownTexts.get(text) ?? copyOf(text);
  knownTexts.set(known, known);
  return known;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

type Attributes = Readonly<Record<string, string>>;

const written = (name: string, attributes: Attributes): string =>
  `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${value}"`)].join(' ')}>`;

/** Reads a built page once. */
export function factsOf(html: string): PageFacts {
  const [scripts, styles, links, files] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  const forbidden: string[] = [];
  let [noindex, badData, templates] = [false, false, 0];
  /** The script or style element that is open, and its text so far. */
  let code: { name: string; attributes: Attributes; text: string } | undefined;

  function look(name: string, attributes: Attributes): void {
    for (const [key, value] of Object.entries(attributes)) {
      if (FORBIDDEN.test(key)) forbidden.push(written(name, attributes).slice(0, 120));
      if (OWN_SCRIPT.test(value)) files.add(shared(value));
      if (templates === 0 && LINKING.has(key) && /^\/(?!\/)/.test(value)) links.add(shared(value));
    }
    if (name === 'meta' && attributes.name === 'robots' && attributes.content?.includes('noindex'))
      noindex = true;
  }

  function readCode(name: string, { src, type = '' }: Attributes, text: string): void {
    if (name === 'style') {
      styles.add(sourceOf(text));
      for (const [font] of text.matchAll(FONTS)) files.add(shared(font));
    } else if (type === 'application/ld+json') badData ||= !isJson(text);
    else if (src === undefined && RUNS.test(type.trim().toLowerCase())) scripts.add(sourceOf(text));
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      look(name, attributes);
      if (name === 'template') templates += 1;
      if (name === 'script' || name === 'style') code = { name, attributes, text: '' };
    },
    ontext(text) {
      if (code) code.text += text;
    },
    onclosetag(name) {
      if (name === 'template') templates -= 1;
      if (!code || name !== code.name) return;
      readCode(name, code.attributes, code.text);
      code = undefined;
    },
  });
  parser.end(html);
  return {
    scripts: [...scripts],
    styles: [...styles],
    forbidden,
    noindex,
    links: [...links],
    badData,
    files: [...files],
  };
}

/** Reads every page of a built site once, for all that publishing needs of it. */
export async function readFacts(directory: string, files: readonly string[]): Promise<SiteFacts> {
  const facts = new Map<string, PageFacts>();
  for await (const { file, html } of readPages(directory, files)) facts.set(file, factsOf(html));
  knownSources.clear();
  knownTexts.clear();
  return facts;
}
