import { createHash } from 'node:crypto';
import { attributesOf, type PageParts, type Tag, tagsOf, takeApart } from './html.ts';
import { fromLatin1 } from './latin1.ts';

/** What a page carries that a policy must name or forbid. */
export interface InlineCode {
  /** CSP sources of the inline scripts that run: `'sha256-…'`. */
  readonly scripts: Set<string>;
  readonly styles: Set<string>;
  /** Style attributes and inline handlers, which no hash can allow: the tags, shortened. */
  readonly forbidden: string[];
}

/** JSON-LD and data scripts do not run. An import map and speculation rules count as scripts in a policy. */
const RUNS = /^(|module|importmap|speculationrules|(text|application)\/(java|ecma)script)$/;

/** By length: comparing two texts is much quicker than hashing one, as the key of a map or by SHA-256. */
const known = new Map<number, { text: string; source: string }[]>();

/** The CSP source of an inline script or sheet, `'sha256-…'`, of its bytes (latin1.ts). */
export function sourceOf(text: string): string {
  const alike = known.get(text.length) ?? [];
  const found = alike.find((each) => each.text === text);
  if (found) return found.source;
  const source = `'sha256-${createHash('sha256').update(text, 'latin1').digest('base64')}'`;
  known.set(text.length, [...alike, { text, source }]);
  return source;
}

function runs(tag: Tag): boolean {
  const attributes = attributesOf(tag);
  return !attributes.has('src') && RUNS.test((attributes.get('type') ?? '').trim().toLowerCase());
}

const mayBeForbidden = /\s(style|on[a-z]+)\s*=/i;

function isForbidden(tag: Tag): boolean {
  if (!mayBeForbidden.test(tag.attributes)) return false;
  return [...attributesOf(tag).keys()].some((name) => name === 'style' || /^on[a-z]+$/.test(name));
}

export const noInlineCode = (): InlineCode => ({ scripts: new Set(), styles: new Set(), forbidden: [] });

/** Adds a page's inline code to what its kind has already. The page is given as bytes (latin1.ts). */
export function collectInlineCode(page: string | PageParts, into: InlineCode): void {
  const { code, markup } = typeof page === 'string' ? takeApart(page) : page;
  for (const tag of code) {
    if (tag.name === 'style') into.styles.add(sourceOf(tag.text));
    else if (runs(tag)) into.scripts.add(sourceOf(tag.text));
  }
  if (!mayBeForbidden.test(markup)) return;
  for (const tag of tagsOf(markup)) {
    if (isForbidden(tag)) into.forbidden.push(fromLatin1(`<${tag.name}${tag.attributes}>`.slice(0, 120)));
  }
}
