import { otherNames, readSearchNames, type SearchRow, searchShards } from '#domain/search.ts';
import { catalog } from './catalogue.ts';
import words from './search-words.txt?raw';

let made: Promise<Map<string, readonly SearchRow[]>> | undefined;

async function make(): Promise<Map<string, readonly SearchRow[]>> {
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

/** Build time: what a search looks through, by the beginning of the words. */
export function shards(): Promise<Map<string, readonly SearchRow[]>> {
  made ??= make();
  return made;
}
