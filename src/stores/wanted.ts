import type { Wanted } from '#domain/shared-cart.ts';
import { type Answer, type Offer, offerOf } from '#domain/wanted.ts';
import { askProducts } from './products-today.ts';

/** What can be had of it today, in its order. */
export async function offersFor(wanted: readonly (Wanted & { readonly name?: string })[]): Promise<Offer[]> {
  const found = new Map<string, Answer>();
  await askProducts([...new Set(wanted.map(({ id }) => id))], (answers) => {
    for (const [id, answer] of answers) found.set(id, answer);
  });
  return wanted.map((each) => offerOf(each, each.name || each.id, found.get(each.id)));
}
