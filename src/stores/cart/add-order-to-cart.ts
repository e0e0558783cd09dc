import type { Order } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { outcomeOfReorder, productOfItem, type Repriced, repricedOf } from '#domain/reorder.ts';
import { availableLines, type UnavailableItem, unavailableItems } from '#domain/requested-items.ts';
import { putInCart } from './cart-edits.ts';
import { fetchLater, fetchProductsToday } from './products-today.ts';

export interface ReorderResult {
  readonly added: number;
  readonly missing: readonly UnavailableItem[];
  readonly repriced: readonly Repriced[];
}

/** If an item's id no longer exists, these products may have one with its name. */
async function fetchFirstProducts(): Promise<readonly Product[]> {
  const result = await fetchLater(({ productPageRequest }) => productPageRequest(1));
  return result?.ok ? result.value.products : [];
}

/** Adds the items that are still sold to the cart, at today's prices. */
export async function addOrderToCart({ items }: Order): Promise<ReorderResult> {
  const answers = await fetchProductsToday(items.map((item) => item.id));
  const allFound = items.every((item) => {
    const product = productOfItem(item, answers.get(item.id));
    return product !== 'discontinued' && product !== 'renamed';
  });
  const others = allFound ? [] : await fetchFirstProducts();
  const now = Date.now();
  const outcomes = items.map((item) =>
    outcomeOfReorder(item, productOfItem(item, answers.get(item.id), others), now),
  );
  const lines = availableLines(outcomes);
  if (lines.length > 0) putInCart(lines, 'add');
  return {
    added: lines.length,
    missing: unavailableItems(outcomes),
    repriced: repricedOf(items, outcomes),
  };
}
