/** English as a page has it, `{name}` for what varies, and the same in another language. */
export type Messages = Readonly<Record<string, string>>;

const FIGURE = /^[-\d][\d,]*\+?$/;
/** What varies is a text, which is translated in its turn; by these names it is a figure, or a field's in lower case. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  code: FIGURE,
  columns: FIGURE,
  count: FIGURE,
  field: /^[^A-Z]+$/,
  from: FIGURE,
  number: FIGURE,
  seconds: FIGURE,
  to: FIGURE,
  total: FIGURE,
};
/** What the catalogue or the visitor wrote stays, whatever words it is made of. */
const KEPT = new Set(['name', 'words']);
const LATIN = /[A-Za-z]/;
/** A longer text is an article, not a message. */
const LENGTH_LIMIT = 500;
/** How often what varies may hold what varies. */
const DEPTH_LIMIT = 3;
const REMEMBERED = 2_000;

interface Template {
  /** One more than there are names: before, between and after them. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

/** The parts of a text with `{name}` in it. */
export function templateOf(text: string): Template {
  const parts = text.split(/\{(\w+)\}/);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  };
}

/** What stands in the text where the template has names; nothing where it does not fit. Takes one pass. */
function valuesIn(text: string, { literals, names }: Template): string[] | undefined {
  const first = literals[0] ?? '';
  const last = literals.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const end = text.length - last.length;
  const values: string[] = [];
  let position = first.length;
  for (const literal of literals.slice(1, -1)) {
    const at = text.indexOf(literal, position);
    if (at === -1) return undefined;
    values.push(text.slice(position, at));
    position = at + literal.length;
  }
  values.push(text.slice(position, Math.max(position, end)));
  const fits = values.every(
    (value, index) => value !== '' && (SHAPES[names[index] ?? '']?.test(value) ?? true),
  );
  return fits ? values : undefined;
}

const weight = ({ literals }: Template): number => literals.join('').length;

/**
 * Translates whole texts; the white space around them stays, and what is in no catalogue comes back as it was.
 * @param others for texts that no list can hold, such as dates
 */
export function createTranslator(
  catalogues: readonly Messages[],
  others: (text: string) => string | undefined = () => undefined,
): (text: string) => string {
  const entries = catalogues.flatMap((messages) => Object.entries(messages));
  const exact = new Map(entries.filter(([english]) => !english.includes('{')));
  const templates = entries
    .filter(([english]) => english.includes('{'))
    .map(([english, text]) => ({ ...templateOf(english), text }))
    // Of two that fit, the one that says more is meant.
    .sort((a, b) => weight(b) - weight(a));

  function fill(text: string, depth: number): string | undefined {
    for (const template of templates) {
      const values = valuesIn(text, template);
      if (!values) continue;
      const translated = new Map(
        template.names.map((name, index) => {
          const value = values[index] ?? '';
          return [name, KEPT.has(name) ? value : (find(value.trim(), depth + 1) ?? value)] as const;
        }),
      );
      const { literals, names } = templateOf(template.text);
      return literals.map((literal, index) => literal + (translated.get(names[index] ?? '') ?? '')).join('');
    }
    return undefined;
  }

  const find = (text: string, depth: number): string | undefined =>
    exact.get(text) ?? others(text) ?? (depth < DEPTH_LIMIT ? fill(text, depth) : undefined);

  const remembered = new Map<string, string>();
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const core = text.trim();
    if (core.length > LENGTH_LIMIT || !LATIN.test(core)) return text;
    const found = find(core.replace(/\s+/g, ' '), 0);
    const start = text.indexOf(core);
    const translated =
      found === undefined ? text : text.slice(0, start) + found + text.slice(start + core.length);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(text, translated);
    return translated;
  };
}
