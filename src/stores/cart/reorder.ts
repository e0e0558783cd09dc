import { atom } from 'nanostores';
import type { Order } from '#domain/order.ts';
import { notify } from '#stores/shell/toasts.ts';
import type { OrderedAgain } from './order-again.ts';

export type Reorder = { readonly status: 'working' } | ({ readonly status: 'done' } & OrderedAgain);

/** The state or result of 'Buy again', by order id. */
export const $reorders = atom<ReadonlyMap<string, Reorder>>(new Map());

function setReorder(id: string, reorder: Reorder | undefined): void {
  const reorders = new Map($reorders.get());
  if (reorder) reorders.set(id, reorder);
  else reorders.delete(id);
  $reorders.set(reorders);
}

/**
 * Puts the items of an order that are still sold into the cart, at today's prices, and lists those that are not. The code
 * that does so is only loaded now.
 */
export async function buyAgain(order: Order): Promise<void> {
  const { id } = order;
  if ($reorders.get().get(id)?.status === 'working') return;
  setReorder(id, { status: 'working' });
  try {
    const { orderAgain } = await import('./order-again.ts');
    setReorder(id, { status: 'done', ...(await orderAgain(order)) });
  } catch {
    setReorder(id, undefined);
    notify({ title: 'Error', text: 'The connection may be slow. Please try again.', tone: 'error' });
  }
}
