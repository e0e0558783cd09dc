/** Translations by the English text of the page. `{name}` is a placeholder. */
export type Translations = Readonly<Record<string, string>>;

const NUMBER = /^[-\d][\d,]*\+?$/;
/** Values that these placeholders accept. Any other placeholder accepts every text. */
const VALUE_PATTERNS: Readonly<Record<string, RegExp>> = {
  code: NUMBER,
  columns: NUMBER,
  count: NUMBER,
  field: /^[^A-Z]+$/,
  from: NUMBER,
  number: NUMBER,
  rupees: /^₹[\d,.]+$/,
  seconds: NUMBER,
  to: NUMBER,
  total: NUMBER,
};
/** Texts of the catalogue or the visitor. The values of all other placeholders are translated. */
const UNTRANSLATED = new Set(['name', 'words']);
const LATIN = /[A-Za-z]/;
/** Longer texts stay English. */
const LENGTH_LIMIT = 500;
/** How deep templates may be nested in placeholder values. */
const DEPTH_LIMIT = 3;
const CACHE_LIMIT = 2_000;

interface Template {
  /** The texts before, between and after the names: one more than names. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

export function templateOf(text: string): Template {
  const parts = text.split(/\{(\w+)\}/);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  };
}

/** Splits at the first occurrence of each separator. Returns undefined if one is missing. */
function splitFromStart(text: string, separators: readonly string[]): string[] | undefined {
  const values: string[] = [];
  let rest = text;
  for (const separator of separators) {
    const at = rest.indexOf(separator);
    if (at === -1) return undefined;
    values.push(rest.slice(0, at));
    rest = rest.slice(at + separator.length);
  }
  return [...values, rest];
}

/** Splits at the last occurrence of each separator. */
function splitFromEnd(text: string, separators: readonly string[]): string[] | undefined {
  const values: string[] = [];
  let rest = text;
  for (const separator of [...separators].reverse()) {
    const at = rest.lastIndexOf(separator);
    if (at === -1) return undefined;
    values.unshift(rest.slice(at + separator.length));
    rest = rest.slice(0, at);
  }
  return [rest, ...values];
}

/**
 * Returns the values of the placeholders, or undefined if the text does not match. A value may contain a separator, so
 * both ends are tried. Takes at most two passes.
 */
function matchTemplate(text: string, { literals, names }: Template): string[] | undefined {
  const first = literals[0] ?? '';
  const last = literals.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const inner = text.slice(first.length, Math.max(first.length, text.length - last.length));
  const separators = literals.slice(1, -1);
  const fits = (values: string[] | undefined): boolean =>
    values?.every(
      (value, index) => value !== '' && (VALUE_PATTERNS[names[index] ?? '']?.test(value) ?? true),
    ) ?? false;
  return [splitFromStart, splitFromEnd].map((split) => split(inner, separators)).find(fits);
}

const literalLength = ({ literals }: Template): number => literals.join('').length;

/**
 * Creates a function that translates whole texts. It preserves the white space around a text, and returns an unknown text
 * unchanged.
 * @param others translates texts that cannot be listed, such as dates
 */
export function createTranslator(
  catalogues: readonly Translations[],
  others: (text: string) => string | undefined = () => undefined,
): (text: string) => string {
  const entries = catalogues.flatMap((texts) => Object.entries(texts));
  const exact = new Map(entries.filter(([english]) => !english.includes('{')));
  const templates = entries
    .filter(([english]) => english.includes('{'))
    .map(([english, text]) => ({ ...templateOf(english), text }))
    // If two templates match, the longer literals win.
    .sort((a, b) => literalLength(b) - literalLength(a));

  function fill(text: string, depth: number): string | undefined {
    for (const template of templates) {
      const values = matchTemplate(text, template);
      if (!values) continue;
      const translated = new Map(
        template.names.map((name, index) => {
          const value = values[index] ?? '';
          return [name, UNTRANSLATED.has(name) ? value : (find(value.trim(), depth + 1) ?? value)] as const;
        }),
      );
      const { literals, names } = templateOf(template.text);
      return literals.map((literal, index) => literal + (translated.get(names[index] ?? '') ?? '')).join('');
    }
    return undefined;
  }

  const find = (text: string, depth: number): string | undefined =>
    exact.get(text) ?? others(text) ?? (depth < DEPTH_LIMIT ? fill(text, depth) : undefined);

  const cache = new Map<string, string>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const core = text.trim();
    if (core.length > LENGTH_LIMIT || !LATIN.test(core)) return text;
    const translation = find(core.replace(/\s+/g, ' '), 0);
    const start = text.indexOf(core);
    const translated =
      translation === undefined ? text : text.slice(0, start) + translation + text.slice(start + core.length);
    if (cache.size >= CACHE_LIMIT) cache.clear();
    cache.set(text, translated);
    return translated;
  };
}
