import { isSignedOut } from '#api/failure.ts';
import type { Order } from '#domain/order.ts';
import { refreshSession } from '#stores/account/session.ts';

/** 'unknown' means that the order is not among the customer's orders. */
export type OwnOrder = Order | 'unknown';

/** Stops at an API whose pages never end. */
const MAX_PAGES = 100;

/**
 * Finds an order in GET /orders. Returns undefined if the request fails. Never rejects.
 * @param fetchOrders of api/orders.ts, which the checkout loads only when it needs it
 */
export async function fetchOwnOrder(
  id: string,
  fetchOrders: typeof import('#api/orders.ts').fetchOrders,
  signal?: AbortSignal,
): Promise<OwnOrder | undefined> {
  let next: string | undefined = '';
  for (let pages = 0; next !== undefined && pages < MAX_PAGES; pages += 1) {
    const result = await fetchOrders(signal ? { signal } : {}, next);
    if (signal?.aborted) return undefined;
    if (!result.ok) {
      if (isSignedOut(result.failure)) refreshSession();
      return undefined;
    }
    const found = result.value.find((order) => order.id === id);
    if (found) return found;
    next = result.next;
  }
  return 'unknown';
}
