import { atom } from 'nanostores';
import type { Order } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { outcomeOfReorder, productOf, type Repriced, repricedOf } from '#domain/reorder.ts';
import { availableLines, type UnavailableItem, unavailableItems } from '#domain/requested-items.ts';
import { takeLines } from './cart-edits.ts';
import { askForAll } from './products-today.ts';

export type Reorder =
  | { readonly status: 'working' }
  | {
      readonly status: 'done';
      readonly added: number;
      readonly missing: readonly UnavailableItem[];
      readonly repriced: readonly Repriced[];
    };

/** By order id: what became of 'Buy again'. */
export const $reorders = atom<ReadonlyMap<string, Reorder>>(new Map());

const note = (id: string, reorder: Reorder): void => $reorders.set(new Map($reorders.get()).set(id, reorder));

/** Where an id is not a product's, its name may be among the first of the catalogue. */
async function lookUp(): Promise<readonly Product[]> {
  try {
    const [{ fetchPublic }, { productPageRequest }] = await Promise.all([
      import('#api/client.ts'),
      import('#api/requests.ts'),
    ]);
    const result = await fetchPublic(productPageRequest(1));
    return result.ok ? result.value.products : [];
  } catch {
    return [];
  }
}

/** Puts what is still sold of an order into the cart, at today's prices, and says what is not. */
export async function buyAgain({ id, items }: Order): Promise<void> {
  if ($reorders.get().get(id)?.status === 'working') return;
  note(id, { status: 'working' });
  const answers = await askForAll(items.map((item) => item.id));
  const isFound = items.every((item) => {
    const found = productOf(item, answers.get(item.id));
    return found !== 'gone' && found !== 'renamed';
  });
  const others = isFound ? [] : await lookUp();
  const outcomes = items.map((item) => outcomeOfReorder(item, productOf(item, answers.get(item.id), others)));
  const lines = availableLines(outcomes);
  if (lines.length > 0) takeLines(lines, 'add');
  note(id, {
    status: 'done',
    added: lines.length,
    missing: unavailableItems(outcomes),
    repriced: repricedOf(items, outcomes),
  });
}
