import { atom } from 'nanostores';
import type { Order } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { againOf, productOf, type Repriced, repricedOf } from '#domain/reorder.ts';
import { linesOf, type Missing, missingOf } from '#domain/wanted.ts';
import { takeLines } from './cart-edits.ts';
import { askAll } from './products-today.ts';

export type Reorder =
  | { readonly status: 'working' }
  | {
      readonly status: 'done';
      readonly added: number;
      readonly missing: readonly Missing[];
      readonly repriced: readonly Repriced[];
    };

/** By order id: what became of 'Buy again'. */
export const $reorders = atom<ReadonlyMap<string, Reorder>>(new Map());

const note = (id: string, reorder: Reorder): void => $reorders.set(new Map($reorders.get()).set(id, reorder));

/** Where an id is not a product's, its name may be among the first of the catalogue. */
async function lookUp(): Promise<readonly Product[]> {
  try {
    const { fetchLookup } = await import('#api/products.ts');
    const result = await fetchLookup();
    return result.ok ? result.value.products : [];
  } catch {
    return [];
  }
}

/** Puts what is still sold of an order into the cart, at today's prices, and says what is not. */
export async function buyAgain({ id, items }: Order): Promise<void> {
  if ($reorders.get().get(id)?.status === 'working') return;
  note(id, { status: 'working' });
  const answers = await askAll(items.map((item) => item.id));
  const isFound = items.every((item) => {
    const found = productOf(item, answers.get(item.id));
    return found !== 'gone' && found !== 'renamed';
  });
  const others = isFound ? [] : await lookUp();
  const offers = items.map((item) => againOf(item, productOf(item, answers.get(item.id), others)));
  const lines = linesOf(offers);
  if (lines.length > 0) takeLines(lines, 'add');
  note(id, {
    status: 'done',
    added: lines.length,
    missing: missingOf(offers),
    repriced: repricedOf(items, offers),
  });
}
