import MiniSearch, { type SearchOptions } from 'minisearch';
import { fetchSearchRows } from '#api/search-rows.ts';
import { plain, type SearchRow, shardPath, shardsFor, singular, wordsOf } from '#domain/search.ts';

export interface Found {
  /** In the whole catalogue, from 0. */
  readonly place: number;
  readonly name: string;
}

interface Document extends Found {
  readonly category: string;
  readonly also: string;
}

/** The place of the catalogue that counts half of what the first one has ahead. */
const PLACES = 100;

/** Letters that may be wrong, missing or too many: none in a short word, where every other word is near. */
const lenience =
  (share: number) =>
  (term: string): number =>
    term.length < 4 ? 0 : Math.min(2, Math.max(1, Math.floor(term.length * share)));

/** Where nothing else was found, three letters may be one letter off: 'amm' is aam. */
const lenientWithShort = (term: string): number => (term.length === 3 ? 1 : 0);

/** Tried one after the other until something is found. */
const TRIES: readonly SearchOptions[] = [
  { combineWith: 'AND', fuzzy: lenience(0.2) },
  { combineWith: 'AND', fuzzy: lenience(0.4) },
  { combineWith: 'OR', fuzzy: lenience(0.2) },
  { combineWith: 'AND', fuzzy: lenientWithShort, prefix: false },
];

const toDocument = ([place, name, category, also]: SearchRow): Document => ({ place, name, category, also });

/**
 * Searches the build's files, each of which is fetched when a word first leads to it.
 * @param prefixes those there is a file for
 */
export function createSearch(prefixes: readonly string[]) {
  const index = new MiniSearch<Document>({
    idField: 'place',
    fields: ['name', 'also', 'category'],
    storeFields: ['name'],
    tokenize: wordsOf,
    processTerm: (word) => singular(plain(word)),
    searchOptions: {
      prefix: true,
      boost: { name: 3, also: 2 },
      // A name is not the better for being short; of equals, what the shop shows first comes first.
      bm25: { k: 1.2, b: 0.3, d: 0.5 },
      boostDocument: (place) => 1 + 1 / (1 + Number(place) / PLACES),
    },
  });
  const loaded = new Map<string, Promise<boolean>>();

  async function load(prefix: string): Promise<boolean> {
    const rows = await fetchSearchRows(shardPath(prefix));
    if (!rows) loaded.delete(prefix);
    index.addAll((rows ?? []).map(toDocument).filter(({ place }) => !index.has(place)));
    return rows !== undefined;
  }

  function loadOnce(prefix: string): Promise<boolean> {
    const loading = loaded.get(prefix) ?? load(prefix);
    loaded.set(prefix, loading);
    return loading;
  }

  return {
    /** Products by how well they fit; nothing where a file cannot be had. */
    async find(text: string): Promise<Found[] | undefined> {
      const words = wordsOf(text);
      const all = await Promise.all(shardsFor(words, prefixes).map(loadOnce));
      if (all.includes(false)) return undefined;
      for (const options of TRIES) {
        const found = index.search(text, options);
        if (found.length > 0) return found.map(({ id, name }) => ({ place: Number(id), name: String(name) }));
      }
      return [];
    },
  };
}
