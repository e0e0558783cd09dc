/** A start tag of a built page; for `script` and `style` with the text inside. */
export interface Tag {
  readonly name: string;
  /** As written, between the tag's name and its '>'. */
  readonly attributes: string;
  readonly text: string;
}

/** A page taken apart. */
export interface PageParts {
  /** Its `script` and `style` elements. */
  readonly code: readonly Tag[];
  /** The page without the text of those. */
  readonly markup: string;
}

const ATTRIBUTES = `(?:"[^"]*"|'[^']*'|[^"'>])*`;
/** Whole tags at a time: a '<script>' within an attribute's value is no script. */
const TOKEN = new RegExp(
  `<!--[\\s\\S]*?-->|<(script|style)(?=[\\s>/])(${ATTRIBUTES})>([\\s\\S]*?)</\\1\\s*>|<([a-z][\\w-]*)(${ATTRIBUTES})>`,
  'gi',
);

/** The start tags of a page that Astro wrote (in text it escapes every '<'). */
export function* tagsOf(html: string): Generator<Tag> {
  for (const [, raw, rawAttributes = '', text = '', name, attributes = ''] of html.matchAll(TOKEN)) {
    if (raw !== undefined) yield { name: raw.toLowerCase(), attributes: rawAttributes, text };
    else if (name !== undefined) yield { name: name.toLowerCase(), attributes, text: '' };
  }
}

function takeApartByTags(html: string): PageParts {
  const code: Tag[] = [];
  const markup = html.replace(TOKEN, (whole, raw?: string, attributes = '', text = '') => {
    if (raw === undefined) return whole;
    code.push({ name: raw.toLowerCase(), attributes, text });
    return `<${raw}${attributes}></${raw}>`;
  });
  return { code, markup };
}

const START = new RegExp(`<(script|style)(?=[\\s>/])(${ATTRIBUTES})>`, 'y');

/** Whether a value may have begun in this piece and not have ended. */
function mayEndInAValue(piece: string): boolean {
  if (piece.includes("='")) return true;
  return /=\s*$/.test(piece.slice(0, Math.max(0, piece.lastIndexOf('"'))).slice(-8));
}

/**
 * Takes a page apart by looking for its code alone: a pattern over all its tags took longer than rendering it. Where a
 * value could hold such a tag, all tags are looked at (faults 47).
 */
export function takeApart(html: string): PageParts {
  const code: Tag[] = [];
  const pieces: string[] = [];
  let end = 0;
  let [script, style] = [html.indexOf('<script'), html.indexOf('<style')];
  while (script !== -1 || style !== -1) {
    const start = script === -1 || (style !== -1 && style < script) ? style : script;
    const piece = html.slice(end, start);
    if (mayEndInAValue(piece)) return takeApartByTags(html);
    START.lastIndex = start;
    const [whole, name, attributes = ''] = START.exec(html) ?? [];
    if (whole === undefined || name === undefined) return takeApartByTags(html);
    const first = start + whole.length;
    const last = html.indexOf(`</${name}>`, first);
    if (last === -1) return takeApartByTags(html);
    code.push({ name, attributes, text: html.slice(first, last) });
    pieces.push(piece, whole);
    end = last;
    if (script !== -1 && script < end) script = html.indexOf('<script', end);
    if (style !== -1 && style < end) style = html.indexOf('<style', end);
  }
  pieces.push(html.slice(end));
  return { code, markup: pieces.join('') };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return ENTITIES[name ?? ''] ?? whole;
    },
  );

const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** The attributes of a tag by lower-case name; one without a value is ''. */
export function attributesOf({ attributes }: Tag): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    found.set(name.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''));
  }
  return found;
}
