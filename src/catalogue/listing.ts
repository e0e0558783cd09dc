import { type Fragment, listingFragments } from '#domain/listing-fragment.ts';
import type { Product } from '#domain/product.ts';
import { catalog } from './catalogue.ts';

let allFragments: Promise<Fragment[]> | undefined;

/** The fragments of the whole catalogue, computed once per build. */
export function fragments(): Promise<Fragment[]> {
  allFragments ??= catalog().then(({ store, products }) => listingFragments(products, store.categories));
  return allFragments;
}

let places: Promise<ReadonlyMap<Product, number>> | undefined;

/** Finds the index of a product in the whole catalogue, from 0, which tells the listing page that has its card. */
export async function placeOf(): Promise<(product: Product) => number> {
  places ??= catalog().then(({ products }) => new Map(products.map((product, index) => [product, index])));
  const indexOf = await places;
  return (product) => indexOf.get(product) ?? -1;
}
