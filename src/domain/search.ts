import { searchText } from './fold-text.ts';
import type { Product } from './product.ts';

/** A row of the search index. Without the price, so that a new price changes no index file. */
export type SearchRow = readonly [place: number, name: string, category: string, otherNames: string];

/** The most rows in a file: about 30 KB compressed. */
export const SHARD_ROWS = 1_500;
/** If the longest prefix still has too many rows, only the first ones of the catalogue are indexed. */
const PREFIX_LIMIT = 4;

/** Splits into words. The vowel signs of Indian scripts are marks (`\p{M}`) and belong to their word. */
export const wordsOf = (text: string): string[] =>
  searchText(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');

/** 'berries' becomes berry, 'mangoes' mango. A wrong singular is harmless: the index and the query use the same one. */
export const singular = (word: string): string =>
  word.length < 4 || /[^a-z]|ss$/.test(word)
    ? word
    : word.replace(/(..)ies$/, '$1y').replace(/(o|sh|ch|x|ss)es$|s$/, '$1');

interface SearchName {
  /** The name and its plurals, each between spaces. */
  readonly forms: readonly string[];
  readonly others: readonly string[];
  /** Longer names have lower ranks: 'custard apple' comes before 'apple'. */
  readonly rank: number;
}

/** By the first word of each form. */
export type SearchNames = ReadonlyMap<string, readonly SearchName[]>;

const pluralsOf = (name: string): string[] => [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')];

const firstWord = (form: string): string => form.trim().split(' ')[0] ?? '';

/** Parses the editors' file: the synonyms of one thing on each line, separated by commas. '#' starts a comment. */
export function readSearchNames(text: string): SearchNames {
  const things = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(',').map((name) => wordsOf(name).join(' ')))
    .map((names) => names.filter((name) => name !== ''));
  const ranked = things
    .flatMap((names) => names.map((name) => [name, names.filter((other) => other !== name)] as const))
    .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  const names = new Map<string, SearchName[]>();
  for (const [rank, [name, others]] of ranked.entries()) {
    const searchName = { forms: pluralsOf(name).map((form) => ` ${form} `), others, rank };
    for (const word of new Set(searchName.forms.map(firstWord))) {
      names.set(word, [...(names.get(word) ?? []), searchName]);
    }
  }
  return names;
}

/** Returns the synonyms of the things in the product's name and category. A 'custard apple' is not an 'apple'. */
export function otherNames(
  { name, category }: Pick<Product, 'name' | 'category'>,
  names: SearchNames,
): string[] {
  const words = wordsOf(`${name} · ${category}`);
  const candidates = [...new Set(words.flatMap((word) => names.get(word) ?? []))];
  let text = ` ${words.join(' ')} `;
  const result = new Set<string>();
  for (const { forms, others } of candidates.sort((a, b) => a.rank - b.rank)) {
    const mentioned = forms.find((form) => text.includes(form));
    if (mentioned === undefined) continue;
    for (const other of others) result.add(other);
    text = text.replaceAll(mentioned, ' · ');
  }
  return [...result];
}

const termsOf = ([, name, category, others]: SearchRow): string[] => [
  ...new Set(wordsOf(`${name} ${category} ${others}`)),
];

/**
 * Splits the search index into files by word prefixes. A small index is one file with the prefix ''. A row is in every
 * file whose prefix begins one of its words.
 */
export function searchShards(rows: readonly SearchRow[]): Map<string, readonly SearchRow[]> {
  const shards = new Map<string, readonly SearchRow[]>();
  const terms = new Map(rows.map((row) => [row, termsOf(row)]));
  const split = (prefix: string, group: readonly SearchRow[]): void => {
    if (group.length <= SHARD_ROWS || prefix.length >= PREFIX_LIMIT) {
      shards.set(prefix, group.slice(0, SHARD_ROWS));
      return;
    }
    const byLongerPrefix = new Map<string, SearchRow[]>();
    for (const row of group) {
      const matching = (terms.get(row) ?? []).filter((term) => term.startsWith(prefix));
      for (const next of new Set(matching.map((term) => term.slice(0, prefix.length + 1)))) {
        const samePrefix = byLongerPrefix.get(next);
        if (samePrefix) samePrefix.push(row);
        else byLongerPrefix.set(next, [row]);
      }
    }
    for (const [next, rowsOfNext] of byLongerPrefix) {
      if (next === prefix) shards.set(prefix, rowsOfNext.slice(0, SHARD_ROWS));
      else split(next, rowsOfNext);
    }
  };
  split('', rows);
  return shards;
}

const SHARDS_PER_WORD = 6;

/** Returns the prefixes of the files to search. A partly typed word may need several files. */
export function shardsFor(words: readonly string[], prefixes: readonly string[]): string[] {
  return [
    ...new Set(
      words.flatMap((word) => {
        const matching = prefixes.filter((prefix) => word.startsWith(prefix));
        const longest = matching.reduce((best, prefix) => (prefix.length > best.length ? prefix : best), '');
        if (prefixes.includes(longest)) return [longest];
        return prefixes.filter((prefix) => prefix.startsWith(word)).slice(0, SHARDS_PER_WORD);
      }),
    ),
  ];
}

/** Writes letters as their code points, so that every script gives a plain file name. */
export const shardPath = (prefix: string): string =>
  `/listing/search/${[...prefix].map((letter) => letter.codePointAt(0)?.toString(36)).join('-') || 'all'}.json`;
