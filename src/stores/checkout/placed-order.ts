import { atom } from 'nanostores';
import type { Order } from '#domain/order.ts';
import { readOwnOrder } from '#stores/orders/own-order.ts';
import { onReturn } from '#stores/shell/navigation.ts';
import { pause } from '#stores/shell/pause.ts';

/** The order that the cart of this page has become; 'unknown' if it cannot be loaded in time. */
export const $placedOrder = atom<Order | 'loading' | 'unknown'>('loading');

const WAIT_MS = 4_000;

let loading = new AbortController();

async function load(id: string): Promise<void> {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  const order = await Promise.race([readOwnOrder(id, signal), pause(WAIT_MS)]);
  if (!signal.aborted) $placedOrder.set(order ?? 'unknown');
}

function hide(): void {
  loading.abort();
  $placedOrder.set('loading');
}

/**
 * Loads the order now and each time the page is shown again, because it may have been paid in the meantime.
 * Returns a function that stops it.
 */
export function watchPlacedOrder(id: string): () => void {
  const onVisibility = (): void => {
    if (document.visibilityState === 'visible') void load(id);
  };
  hide();
  void load(id);
  addEventListener('pagehide', hide);
  document.addEventListener('visibilitychange', onVisibility);
  const stopReturn = onReturn(() => void load(id));
  return () => {
    removeEventListener('pagehide', hide);
    document.removeEventListener('visibilitychange', onVisibility);
    stopReturn();
    hide();
  };
}
