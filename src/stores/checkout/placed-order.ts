import { atom } from 'nanostores';
import type { Order } from '#domain/order.ts';
import { readOwnOrder } from '#stores/orders/own-order.ts';
import { onReturn } from '#stores/shell/navigation.ts';
import { pause } from '#stores/shell/pause.ts';

/** The order that the cart of this page has become; 'unknown' where nobody says in time what became of it. */
export const $placedOrder = atom<Order | 'asking' | 'unknown'>('asking');

const WAIT_MS = 4_000;

let asking = new AbortController();

async function ask(id: string): Promise<void> {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const order = await Promise.race([readOwnOrder(id, signal), pause(WAIT_MS)]);
  if (!signal.aborted) $placedOrder.set(order ?? 'unknown');
}

function hide(): void {
  asking.abort();
  $placedOrder.set('asking');
}

/**
 * Asks for the order at once, and each time the page is seen again: it may have been paid meanwhile, here or in another
 * tab (faults 75). Returns the way to stop.
 */
export function watchPlacedOrder(id: string): () => void {
  const onVisibility = (): void => {
    if (document.visibilityState === 'visible') void ask(id);
  };
  hide();
  void ask(id);
  addEventListener('pagehide', hide);
  document.addEventListener('visibilitychange', onVisibility);
  const stopReturn = onReturn(() => void ask(id));
  return () => {
    removeEventListener('pagehide', hide);
    document.removeEventListener('visibilitychange', onVisibility);
    stopReturn();
    hide();
  };
}
