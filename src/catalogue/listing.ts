import { type ListingData, listingDataFiles } from '#domain/listing-data.ts';
import type { Product } from '#domain/product.ts';
import { otherNames, readSearchNames, type SearchRow, searchShards } from '#domain/search.ts';
import { catalogue } from './catalogue.ts';
import namesText from './search-words.txt?raw';

let allListingData: Promise<ListingData[]> | undefined;

/** Computed once per build. */
export function listingData(): Promise<ListingData[]> {
  allListingData ??= catalogue().then(({ store, products }) => listingDataFiles(products, store.categories));
  return allListingData;
}

let indexes: Promise<ReadonlyMap<Product, number>> | undefined;

/**
 * Returns a function that finds a product's index in the whole catalogue, from 0. From this index the browser computes the
 * page of the listing with the product's card.
 */
export async function indexLookup(): Promise<(product: Product) => number> {
  indexes ??= catalogue().then(({ products }) => new Map(products.map((product, index) => [product, index])));
  const indexByProduct = await indexes;
  return (product) => indexByProduct.get(product) ?? -1;
}

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

/** The rows of the search index by word prefix, one file for each. Computed once per build. */
export function shards(): Promise<Map<string, readonly SearchRow[]>> {
  allShards ??= createShards();
  return allShards;
}
