import { atom } from 'nanostores';
import type { Order } from '#domain/order.ts';
import { inTime } from '#stores/shell/pause.ts';
import { notify } from '#stores/shell/toasts.ts';
import type { ReorderResult } from './add-order-to-cart.ts';

export type ReorderState = { readonly status: 'working' } | ({ readonly status: 'done' } & ReorderResult);

export const $reorders = atom<ReadonlyMap<string, ReorderState>>(new Map());

function setReorder(id: string, state: ReorderState | undefined): void {
  const reorders = new Map($reorders.get());
  if (state) reorders.set(id, state);
  else reorders.delete(id);
  $reorders.set(reorders);
}

export async function reorder(order: Order): Promise<void> {
  const { id } = order;
  if ($reorders.get().get(id)?.status === 'working') return;
  setReorder(id, { status: 'working' });
  try {
    const { addOrderToCart } = await inTime(import('./add-order-to-cart.ts'));
    setReorder(id, { status: 'done', ...(await addOrderToCart(order)) });
  } catch {
    setReorder(id, undefined);
    notify({ title: 'Error', text: 'The connection may be slow. Please try again.', tone: 'error' });
  }
}
