/** A start tag of a built page; for `script` and `style` with the text inside. */
export interface Tag {
  readonly name: string;
  /** As written, between the tag's name and its '>'. */
  readonly attributes: string;
  readonly text: string;
}

const ATTRIBUTES = `(?:"[^"]*"|'[^']*'|[^"'>])*`;
/** Whole tags at a time: a '<script>' within an attribute's value is no script. */
const TOKEN = new RegExp(
  `<!--[\\s\\S]*?-->|<(script|style)(?=[\\s>/])(${ATTRIBUTES})>([\\s\\S]*?)</\\1\\s*>|<([a-z][\\w-]*)(${ATTRIBUTES})>`,
  'gi',
);

const RAW = new RegExp(`<(script|style)(?=[\\s>/])(${ATTRIBUTES})>([\\s\\S]*?)</\\1\\s*>`, 'gi');
/** A value that holds such a tag; in code as well, which costs time alone. */
const IN_A_VALUE = /=\s*(?:"[^"]*|'[^']*)<(?:script|style)/i;

/** The `script` and `style` of a page, without looking at its other tags where that can be spared. */
export function* codeOf(html: string): Generator<Tag> {
  if (IN_A_VALUE.test(html)) {
    for (const tag of tagsOf(html)) if (tag.name === 'script' || tag.name === 'style') yield tag;
    return;
  }
  for (const [, name = '', attributes = '', text = ''] of html.matchAll(RAW)) {
    yield { name: name.toLowerCase(), attributes, text };
  }
}

/** The start tags of a page that Astro wrote (in text it escapes every '<'). */
export function* tagsOf(html: string): Generator<Tag> {
  for (const [, raw, rawAttributes = '', text = '', name, attributes = ''] of html.matchAll(TOKEN)) {
    if (raw !== undefined) yield { name: raw.toLowerCase(), attributes: rawAttributes, text };
    else if (name !== undefined) yield { name: name.toLowerCase(), attributes, text: '' };
  }
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
