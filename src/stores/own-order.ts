import { isSignedOut } from '#api/failure.ts';
import type { Order } from '#domain/order.ts';
import { refreshSession } from './session.ts';

/** The user's order of this number, as GET /orders tells it now; nothing where that says nothing. Never rejects. */
export async function readOwnOrder(id: string, signal?: AbortSignal): Promise<Order | undefined> {
  try {
    const { fetchOrders } = await import('#api/orders.ts');
    const result = await fetchOrders(signal ? { signal } : {});
    if (signal?.aborted) return undefined;
    if (result.ok) return result.value.find((order) => order.id === id);
    if (isSignedOut(result.failure)) refreshSession();
  } catch {
    // The code did not load: nothing is said.
  }
  return undefined;
}
