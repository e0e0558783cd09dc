import { otherNames, readSearchNames, type SearchRow, searchShards } from '#domain/search.ts';
import { catalogue } from './catalogue.ts';
import namesText from './search-words.txt?raw';

let allShards: Promise<Map<string, readonly SearchRow[]>> | undefined;

async function createShards(): Promise<Map<string, readonly SearchRow[]>> {
  const { products } = await catalogue();
  const names = readSearchNames(namesText);
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

/** The rows of each file of the search index, by the prefix that its words begin with. Computed once per build. */
export function shards(): Promise<Map<string, readonly SearchRow[]>> {
  allShards ??= createShards();
  return allShards;
}
