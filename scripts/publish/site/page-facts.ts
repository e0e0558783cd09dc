import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { forAll } from './built-pages.ts';

/** What completing and checking a site needs to know about a page. */
export interface PageFacts {
  /** The CSP sources (`'sha256-…'`) of the inline scripts that run, and of the inline style sheets. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** The start of tags with a style attribute or an inline handler, which no policy can allow. */
  readonly forbidden: readonly string[];
  readonly noindex: boolean;
  /** The addresses of this site in its attributes, each once. Those in a `<template>` do not count. */
  readonly links: readonly string[];
  /** The addresses of the scripts in its attributes and of the fonts in its styles. */
  readonly files: readonly string[];
}

/** Keyed by file within the site, such as `product/a1.html`. */
export type SiteFacts = ReadonlyMap<string, PageFacts>;

const LINKING = new Set(['href', 'src', 'action', 'poster']);

/** JSON-LD and data scripts do not run. An import map and speculation rules count as scripts in a policy. */
const RUNNING_TYPE = /^(|module|importmap|speculationrules|(text|application)\/(java|ecma)script)$/;

const FORBIDDEN = /^(style|on[a-z]+)$/;

const OWN_SCRIPT = /^\/_astro\/[\w.~-]+\.js$/;

const FONTS = /\/_astro\/[\w.~-]+\.woff2/g;

/** The CSP source of an inline script or style sheet. */
export const sourceOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Copies a text, because V8 keeps the whole page in memory while a slice of it is in use. */
const copyOf = (text: string): string => Buffer.from(text).toString();

type Attributes = Readonly<Record<string, string>>;

const markupOf = (name: string, attributes: Attributes): string =>
  `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${value}"`)].join(' ')}>`;

/** Reads all facts of a page in one pass. */
export function factsOf(html: string): PageFacts {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const links = new Set<string>();
  const files = new Set<string>();
  const forbidden: string[] = [];
  let noindex = false;
  let templates = 0;
  /** The open script or style element, and its text so far. */
  let code: { name: string; attributes: Attributes; text: string } | undefined;

  function readAttributes(name: string, attributes: Attributes): void {
    for (const [key, value] of Object.entries(attributes)) {
      if (FORBIDDEN.test(key)) forbidden.push(markupOf(name, attributes).slice(0, 120));
      if (OWN_SCRIPT.test(value)) files.add(copyOf(value));
      if (templates === 0 && LINKING.has(key) && /^\/(?!\/)/.test(value)) links.add(copyOf(value));
    }
    if (name === 'meta' && attributes.name === 'robots' && attributes.content?.includes('noindex'))
      noindex = true;
  }

  function readCode(name: string, { src, type = '' }: Attributes, text: string): void {
    if (name === 'style') {
      styles.add(sourceOf(text));
      for (const [font] of text.matchAll(FONTS)) files.add(copyOf(font));
    } else if (src === undefined && RUNNING_TYPE.test(type.trim().toLowerCase())) scripts.add(sourceOf(text));
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      readAttributes(name, attributes);
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
    files: [...files],
  };
}

export async function readFacts(directory: string, files: readonly string[]): Promise<SiteFacts> {
  const pages = files.filter((file) => file.endsWith('.html'));
  const facts = await forAll(
    pages,
    async (file) => [file, factsOf(await readFile(join(directory, file), 'utf8'))] as const,
  );
  return new Map(facts);
}
