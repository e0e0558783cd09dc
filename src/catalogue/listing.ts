import { type ListingData, listingDataFiles } from '#domain/listing-data.ts';
import type { Product } from '#domain/product.ts';
import { otherNames, readSearchNames, type SearchRow, searchShards } from '#domain/search.ts';
import { catalogue, memoize } from './catalogue.ts';
import namesText from './search-words.txt?raw';

export const listingData = memoize(async (): Promise<ListingData[]> => {
  const { store, products } = await catalogue();
  return listingDataFiles(products, store.categories);
});

const indexes = memoize(
  async () => new Map((await catalogue()).products.map((product, index) => [product, index])),
);

/**
 * Returns a function that finds a product's index in the whole catalogue, from 0. From this index the browser computes the
 * page of the listing with the product's card.
 */
export async function indexLookup(): Promise<(product: Product) => number> {
  const indexByProduct = await indexes();
  return (product) => indexByProduct.get(product) ?? -1;
}

/** The rows of the search index by word prefix, one file for each. */
export const shards = memoize(async (): Promise<Map<string, readonly SearchRow[]>> => {
  const { products } = await catalogue();
  const names = readSearchNames(namesText);
  return searchShards(
    products.map((product, place): SearchRow => {
      const { name, category } = product;
      return [place, name, category, otherNames(product, names).join(' ')];
    }),
  );
});
