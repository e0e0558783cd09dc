import { type Fragment, listingFragments } from '#domain/listing-fragment.ts';
import { catalog } from './catalog.ts';

let made: Promise<Fragment[]> | undefined;

/** Build time: the fragments of the whole catalogue, made once. */
export function fragments(): Promise<Fragment[]> {
  made ??= catalog().then(({ store, products }) => listingFragments(products, store.categories));
  return made;
}
