/** Translations by the English text of the page. `{name}` is a placeholder. */
export type Translations = Readonly<Record<string, string>>;

const NUMBER = '[-\\d][\\d,]*\\+?';
/** Regular expressions for the values that these placeholders accept. Any other placeholder accepts every text. */
const VALUE_PATTERNS: Readonly<Record<string, string>> = {
  code: NUMBER,
  columns: NUMBER,
  count: NUMBER,
  field: '[^A-Z]+',
  from: NUMBER,
  number: NUMBER,
  rupees: '₹[\\d,.]+',
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

/** Matches a whole text, with a group for the value of each placeholder. */
function patternOf({ literals, names }: Template): RegExp {
  const parts = literals.map((literal, index) => {
    const name = names[index];
    const value = name === undefined ? '' : `(${VALUE_PATTERNS[name] ?? '.+?'})`;
    return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + value;
  });
  return new RegExp(`^${parts.join('')}$`);
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
    .map(([english, text]) => ({ ...templateOf(english), pattern: patternOf(templateOf(english)), text }))
    // If two templates match, the longer literals win.
    .sort((a, b) => literalLength(b) - literalLength(a));

  function fill(text: string, depth: number): string | undefined {
    for (const { pattern, names, text: hindi } of templates) {
      const values = pattern.exec(text)?.slice(1);
      if (!values) continue;
      return hindi.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[names.indexOf(name)] ?? '';
        return UNTRANSLATED.has(name) ? value : (find(value.trim(), depth + 1) ?? value);
      });
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
