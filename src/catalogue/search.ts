import { otherNames, readSearchNames, type SearchRow, searchShards } from '#domain/search.ts';
import { catalog } from './catalogue.ts';
import words from './search-words.txt?raw';

let allShards: Promise<Map<string, readonly SearchRow[]>> | undefined;

async function createShards(): Promise<Map<string, readonly SearchRow[]>> {
  const { products } = await catalog();
  const names = readSearchNames(words);
  return searchShards(
    products.map(
      (product, place): SearchRow => [
        place,
        product.name,
        product.category,
        otherNames(product, names).join(' '),
      ],
    ),
  );
}

/** The files of the search index by the prefixes of their words, computed once per build. */
export function shards(): Promise<Map<string, readonly SearchRow[]>> {
  allShards ??= createShards();
  return allShards;
}
