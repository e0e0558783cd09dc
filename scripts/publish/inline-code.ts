import { createHash } from 'node:crypto';
import { attributesOf, codeOf, type Tag, tagsOf } from './html.ts';

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

const known = new Map<string, string>();

function sourceOf(text: string): string {
  const found = known.get(text);
  if (found !== undefined) return found;
  const source = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  known.set(text, source);
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

/** Adds a page's inline code to what its kind has already. */
export function collectInlineCode(html: string, into: InlineCode): void {
  for (const tag of codeOf(html)) {
    if (tag.name === 'style') into.styles.add(sourceOf(tag.text));
    else if (runs(tag)) into.scripts.add(sourceOf(tag.text));
  }
  if (!mayBeForbidden.test(html)) return;
  for (const tag of tagsOf(html)) {
    if (isForbidden(tag)) into.forbidden.push(`<${tag.name}${tag.attributes}>`.slice(0, 120));
  }
}
