import type { Product } from './product.ts';

/** What a search looks through: texts and places alone, so that a new price changes nothing here. */
export type SearchRow = readonly [place: number, name: string, category: string, also: string];

/** Rows of one file at most: about 30 KB over the line. */
export const SHARD_ROWS = 1_500;
/** Where so many letters still leave too many rows, the first of the shop's order must do. */
const PREFIX_LIMIT = 4;

/** Lower case, without the accents of Latin letters. */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();

/** Vowel signs of Indian scripts are marks, and belong to their word. */
export const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');

/** One of many: 'berries' is berry, 'mangoes' and 'mangos' are mango. Wrong singulars do no harm, both sides have them. */
export const singular = (word: string): string =>
  word.length < 4 || /[^a-z]|ss$/.test(word)
    ? word
    : word.replace(/(?<=..)ies$/, 'y').replace(/(?<=o|sh|ch|x|ss)es$|s$/, '');

interface KnownName {
  /** With its plurals, a space on either side. */
  readonly forms: readonly string[];
  readonly others: readonly string[];
  /** Longer names come first: 'custard apple' before 'apple'. */
  readonly rank: number;
}

/** Names of one thing, by the words that each may begin with. */
export type SearchNames = ReadonlyMap<string, readonly KnownName[]>;

const pluralsOf = (name: string): string[] => [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')];

const firstWord = (form: string): string => form.trim().split(' ')[0] ?? '';

/** Reads the editors' file: a line a thing, commas between its names, '#' before a remark. */
export function readSearchNames(text: string): SearchNames {
  const things = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(',').map((name) => wordsOf(name).join(' ')))
    .map((names) => names.filter((name) => name !== ''));
  const ranked = things
    .flatMap((names) => names.map((name) => [name, names.filter((other) => other !== name)] as const))
    .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  const names = new Map<string, KnownName[]>();
  for (const [rank, [name, others]] of ranked.entries()) {
    const known = { forms: pluralsOf(name).map((form) => ` ${form} `), others, rank };
    for (const word of new Set(known.forms.map(firstWord))) {
      names.set(word, [...(names.get(word) ?? []), known]);
    }
  }
  return names;
}

/** The names that the product is known by beside its own; 'custard apple' is no apple. */
export function otherNames(
  { name, category }: Pick<Product, 'name' | 'category'>,
  names: SearchNames,
): string[] {
  const words = wordsOf(`${name} · ${category}`);
  const possible = [...new Set(words.flatMap((word) => names.get(word) ?? []))];
  let text = ` ${words.join(' ')} `;
  const found = new Set<string>();
  for (const { forms, others } of possible.sort((a, b) => a.rank - b.rank)) {
    const said = forms.find((form) => text.includes(form));
    if (said === undefined) continue;
    for (const other of others) found.add(other);
    text = text.replaceAll(said, ' · ');
  }
  return [...found];
}

const termsOf = ([, name, category, also]: SearchRow): string[] => [
  ...new Set(wordsOf(`${name} ${category} ${also}`)),
];

/**
 * The files of a search by the beginning of the words in them: one for everything, or as many as keep each small. A
 * row stands in every file that one of its words leads to.
 */
export function searchShards(rows: readonly SearchRow[]): Map<string, readonly SearchRow[]> {
  const shards = new Map<string, readonly SearchRow[]>();
  const terms = new Map(rows.map((row) => [row, termsOf(row)]));
  const split = (prefix: string, group: readonly SearchRow[]): void => {
    if (group.length <= SHARD_ROWS || prefix.length >= PREFIX_LIMIT) {
      shards.set(prefix, group.slice(0, SHARD_ROWS));
      return;
    }
    const deeper = new Map<string, SearchRow[]>();
    for (const row of group) {
      const begun = (terms.get(row) ?? []).filter((term) => term.startsWith(prefix));
      for (const next of new Set(begun.map((term) => term.slice(0, prefix.length + 1)))) {
        const known = deeper.get(next);
        if (known) known.push(row);
        else deeper.set(next, [row]);
      }
    }
    for (const [next, found] of deeper) {
      if (next === prefix) shards.set(prefix, found.slice(0, SHARD_ROWS));
      else split(next, found);
    }
  };
  split('', rows);
  return shards;
}

const SHARDS_A_WORD = 6;

/** The files that hold what begins like the words; a word that has only begun may lead to several. */
export function shardsFor(words: readonly string[], prefixes: readonly string[]): string[] {
  return [
    ...new Set(
      words.flatMap((word) => {
        const reached = prefixes.filter((prefix) => word.startsWith(prefix));
        const longest = reached.reduce((best, prefix) => (prefix.length > best.length ? prefix : best), '');
        if (prefixes.includes(longest)) return [longest];
        return prefixes.filter((prefix) => prefix.startsWith(word)).slice(0, SHARDS_A_WORD);
      }),
    ),
  ];
}

/** A file's address; any script's letters are letters of a file name there. */
export const shardPath = (prefix: string): string =>
  `/listing/search/${[...prefix].map((letter) => letter.codePointAt(0)?.toString(36)).join('-') || 'all'}.json`;
