import { type Fragment, listingFragments } from '#domain/listing-fragment.ts';
import type { Product } from '#domain/product.ts';
import { catalog } from './catalogue.ts';

let made: Promise<Fragment[]> | undefined;

/** Build time: the fragments of the whole catalogue, made once. */
export function fragments(): Promise<Fragment[]> {
  made ??= catalog().then(({ store, products }) => listingFragments(products, store.categories));
  return made;
}

let places: Promise<ReadonlyMap<Product, number>> | undefined;

/** Build time: where a product stands in the whole catalogue, from 0; its card is in that page of everything. */
export async function placeOf(): Promise<(product: Product) => number> {
  places ??= catalog().then(({ products }) => new Map(products.map((product, index) => [product, index])));
  const known = await places;
  return (product) => known.get(product) ?? -1;
}
