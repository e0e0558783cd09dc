import { atom } from 'nanostores';
import type { Order } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { outcomeOfReorder, productOf, type Repriced, repricedOf } from '#domain/reorder.ts';
import { availableLines, type UnavailableItem, unavailableItems } from '#domain/requested-items.ts';
import { putInCart } from './cart-edits.ts';
import { fetchProductsToday } from './products-today.ts';

export type Reorder =
  | { readonly status: 'working' }
  | {
      readonly status: 'done';
      readonly added: number;
      readonly missing: readonly UnavailableItem[];
      readonly repriced: readonly Repriced[];
    };

/** The state or result of 'Buy again', by order id. */
export const $reorders = atom<ReadonlyMap<string, Reorder>>(new Map());

const setReorder = (id: string, reorder: Reorder): void =>
  $reorders.set(new Map($reorders.get()).set(id, reorder));

/** The first products of the catalogue: an item whose id no product has any more may be found there by its name. */
async function fetchFirstProducts(): Promise<readonly Product[]> {
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

/** Puts the items of an order that are still sold into the cart, at today's prices, and lists those that are not. */
export async function buyAgain({ id, items }: Order): Promise<void> {
  if ($reorders.get().get(id)?.status === 'working') return;
  setReorder(id, { status: 'working' });
  const answers = await fetchProductsToday(items.map((item) => item.id));
  const allFound = items.every((item) => {
    const product = productOf(item, answers.get(item.id));
    return product !== 'gone' && product !== 'renamed';
  });
  const others = allFound ? [] : await fetchFirstProducts();
  const outcomes = items.map((item) => outcomeOfReorder(item, productOf(item, answers.get(item.id), others)));
  const lines = availableLines(outcomes);
  if (lines.length > 0) putInCart(lines, 'add');
  setReorder(id, {
    status: 'done',
    added: lines.length,
    missing: unavailableItems(outcomes),
    repriced: repricedOf(items, outcomes),
  });
}
