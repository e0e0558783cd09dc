import { attributesOf, type Tag, takeApart } from './html.ts';
import { collectInlineCode, noInlineCode } from './inline-code.ts';
import { fromLatin1 } from './latin1.ts';

/** What finishing and checking a site must know of a page: taken once, when the page is made. */
export interface PageFacts {
  /** CSP sources of its inline code. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Tags that no policy can allow, shortened. */
  readonly forbidden: readonly string[];
  /** Not for search engines. */
  readonly noindex: boolean;
  /** Addresses of this site in its attributes, as written, each once. */
  readonly links: readonly string[];
  /** Structured data that cannot be read. */
  readonly badData: boolean;
  /** Names of script files it mentions, where they were looked for. */
  readonly scriptFiles: readonly string[];
}

/** Facts by file within the site, such as `product/a1.html`. */
export type SiteFacts = ReadonlyMap<string, PageFacts>;

const ADDRESSES = new Set(['href', 'src', 'action', 'poster']);
const OF_A_NAME = /[\w:-]/;
const ASCII = /^[\0-\x7f]*$/;
const ROBOTS = /<meta\s+name="robots"\s+content="[^"]*noindex/i;
const TEMPLATE = '<template';
const TEMPLATE_END = '</template>';

/** Templates are no part of the page until a script fills them in. */
function withoutTemplates(markup: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (let start = markup.indexOf(TEMPLATE); start !== -1; start = markup.indexOf(TEMPLATE, end)) {
    pieces.push(markup.slice(end, start));
    const last = markup.indexOf(TEMPLATE_END, start);
    if (last === -1) return pieces.join('');
    end = last + TEMPLATE_END.length;
  }
  return pieces.join('') + markup.slice(end);
}

/** In texts every quote is escaped, so `="/` is an attribute's. */
function linksOf(markup: string): string[] {
  const links = new Set<string>();
  for (let at = markup.indexOf('="/'); at !== -1; at = markup.indexOf('="/', at + 2)) {
    if (markup[at + 3] === '/') continue;
    let start = at;
    while (OF_A_NAME.test(markup.charAt(start - 1))) start -= 1;
    if (!ADDRESSES.has(markup.slice(start, at))) continue;
    links.add(markup.slice(at + 2, markup.indexOf('"', at + 2)));
  }
  return [...links].map((link) => (ASCII.test(link) ? link : fromLatin1(link)));
}

const isStructuredData = (tag: Tag): boolean =>
  tag.name === 'script' && attributesOf(tag).get('type') === 'application/ld+json';

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** @param html as bytes (latin1.ts) */
export function factsOf(html: string, scriptFiles: readonly string[] = []): PageFacts {
  const parts = takeApart(html);
  const inline = noInlineCode();
  collectInlineCode(parts, inline);
  const body = parts.markup.indexOf('<body');
  return {
    scripts: [...inline.scripts],
    styles: [...inline.styles],
    forbidden: inline.forbidden,
    noindex: ROBOTS.test(body === -1 ? parts.markup : parts.markup.slice(0, body)),
    links: linksOf(withoutTemplates(parts.markup)),
    badData: parts.code.some((tag) => isStructuredData(tag) && !isJson(tag.text)),
    scriptFiles,
  };
}
