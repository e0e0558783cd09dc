import { atom } from 'nanostores';
import type { Order } from '#domain/order.ts';
import { isPayable } from '#domain/order-status.ts';
import { privateSection } from '#stores/account/private-page.ts';
import { fetchOwnOrder } from '#stores/orders/own-order.ts';
import { onVisible, stopAll } from '#stores/shell/events.ts';
import { pause } from '#stores/shell/pause.ts';
import { notify } from '#stores/shell/toasts.ts';
import { $checkout, CART_EMPTY } from './checkout.ts';

/** The order that was created from this cart; 'unknown' if it cannot be loaded in time. */
export const $placedOrder = atom<Order | 'loading' | 'unknown'>('loading');

const WAIT_MS = 4_000;

/** The page knows that there is an order, so a failure to load its code is not shown. */
const fetchOrder = (id: string, signal: AbortSignal) =>
  import('#api/orders.ts').then(
    ({ fetchOrders }) => fetchOwnOrder(id, fetchOrders, signal),
    () => undefined,
  );

/**
 * Loads the order now and each time the page is shown again, because it may have been paid in the meantime.
 * Returns a function that stops it.
 */
export function watchPlacedOrder(id: string): () => void {
  const { open, reload } = privateSection({
    async load(signal) {
      const order = await Promise.race([fetchOrder(id, signal), pause(WAIT_MS)]);
      if (signal.aborted) return;
      const checkout = $checkout.get();
      const isOver = order === 'unknown' || (order && !isPayable(order));
      // The order that was left behind is paid, or another customer's: all that is left to say is that the cart is empty.
      if (isOver && 'isResumed' in checkout) {
        notify(CART_EMPTY);
        $checkout.set({ status: 'editing' });
      } else $placedOrder.set(order ?? 'unknown');
    },
    hide: () => $placedOrder.set('loading'),
  });
  $placedOrder.set('loading');
  return stopAll(
    onVisible(() => void reload()),
    open(),
  );
}
