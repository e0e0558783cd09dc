import MiniSearch, { type SearchOptions } from 'minisearch';
import { fetchBuilt } from '#api/listing-data.ts';
import { searchText } from '#domain/fold-text.ts';
import { type SearchRow, shardPath, shardsFor, singular, wordsOf } from '#domain/search.ts';

export interface Found {
  /** The place in the whole catalogue, from 0. */
  readonly place: number;
  readonly name: string;
}

interface Document extends Found {
  readonly category: string;
  readonly also: string;
}

/** The boost for early places of the catalogue falls by half at this place. */
const HALF_BOOST_PLACE = 100;

/** How many letters a typo may change. None in a short word, because many words resemble it. */
const fuzziness =
  (share: number) =>
  (term: string): number =>
    term.length < 4 ? 0 : Math.min(2, Math.max(1, Math.floor(term.length * share)));

/** The last try allows one wrong letter of three: 'amm' finds aam. */
const fuzzinessOfShort = (term: string): number => (term.length === 3 ? 1 : 0);

const TRIES: readonly SearchOptions[] = [
  { combineWith: 'AND', fuzzy: fuzziness(0.2) },
  { combineWith: 'AND', fuzzy: fuzziness(0.4) },
  { combineWith: 'OR', fuzzy: fuzziness(0.2) },
  { combineWith: 'AND', fuzzy: fuzzinessOfShort, prefix: false },
];

const isRow = (value: unknown): value is SearchRow =>
  Array.isArray(value) &&
  typeof value[0] === 'number' &&
  value.slice(1).every((text) => typeof text === 'string');

const areRows = (value: unknown): value is SearchRow[] => Array.isArray(value) && value.every(isRow);

const toDocument = ([place, name, category, also]: SearchRow): Document => ({ place, name, category, also });

/**
 * Searches the built index. Fetches its files when a word first needs them.
 * @param prefixes the word prefixes that have a file
 */
export function createSearch(prefixes: readonly string[]) {
  const index = new MiniSearch<Document>({
    idField: 'place',
    fields: ['name', 'also', 'category'],
    storeFields: ['name'],
    tokenize: wordsOf,
    processTerm: (word) => singular(searchText(word)),
    searchOptions: {
      prefix: true,
      boost: { name: 3, also: 2 },
      // A low `b` hardly prefers short names. Of equal matches, the earlier in the catalogue comes first.
      bm25: { k: 1.2, b: 0.3, d: 0.5 },
      boostDocument: (place) => 1 + 1 / (1 + Number(place) / HALF_BOOST_PLACE),
    },
  });
  const loaded = new Map<string, Promise<boolean>>();

  async function load(prefix: string): Promise<boolean> {
    const rows = await fetchBuilt(shardPath(prefix), areRows);
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
    /** Returns matches, best first, or undefined if a file cannot be fetched. */
    async find(text: string): Promise<Found[] | undefined> {
      const words = wordsOf(text);
      const results = await Promise.all(shardsFor(words, prefixes).map(loadOnce));
      if (results.includes(false)) return undefined;
      for (const options of TRIES) {
        const found = index.search(text, options);
        if (found.length > 0) return found.map(({ id, name }) => ({ place: Number(id), name: String(name) }));
      }
      return [];
    },
  };
}
