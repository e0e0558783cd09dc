import { isSignedOut } from '#api/failure.ts';
import type { Order } from '#domain/order.ts';
import { refreshSession } from '#stores/account/session.ts';

/** 'unknown' means that the order is not among the user's orders. */
export type OwnOrder = Order | 'unknown';

/** Finds an order by its id in GET /orders; undefined if the request fails. Never rejects. */
export async function readOwnOrder(id: string, signal?: AbortSignal): Promise<OwnOrder | undefined> {
  try {
    const { fetchOrders } = await import('#api/orders.ts');
    const result = await fetchOrders(signal ? { signal } : {});
    if (signal?.aborted) return undefined;
    if (result.ok) return result.value.find((order) => order.id === id) ?? 'unknown';
    if (isSignedOut(result.failure)) refreshSession();
  } catch {
    // The code of the request could not be loaded.
  }
  return undefined;
}
