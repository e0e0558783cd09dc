import { atom } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { fetchOrders } from '#api/orders.ts';
import type { Order } from '#domain/order.ts';
import { endsSession, privatePage } from '#stores/account/private-page.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';

export type OrdersPage =
  | { readonly status: 'loading' }
  | {
      readonly status: 'loaded';
      readonly orders: readonly Order[];
      /** Where older orders follow. */
      readonly next?: string;
      readonly isLoadingMore?: boolean;
    }
  | { readonly status: 'failed' };

export const LOADING_ORDERS: OrdersPage = { status: 'loading' };

const FAILED = {
  title: 'Error',
  text: 'Failed to load your orders. Please try again.',
  tone: 'error',
} as const;

export const $orders = atom<OrdersPage>(LOADING_ORDERS);

function fail(failure: Failure): void {
  if (endsSession(failure)) return;
  $orders.set({ status: 'failed' });
  notify(FAILED);
}

const loaded = (orders: readonly Order[], next: string | undefined): OrdersPage => ({
  status: 'loaded',
  orders,
  ...(next ? { next } : {}),
});

const page = privatePage({
  async load(signal) {
    $orders.set(LOADING_ORDERS);
    withdraw(FAILED);
    const result = await fetchOrders({ signal });
    if (signal.aborted) return;
    if (result.ok) $orders.set(loaded(result.value, result.next));
    else fail(result.failure);
  },
  hide: () => $orders.set(LOADING_ORDERS),
  hasFailed: () => $orders.get().status === 'failed',
});

/** Opens My Orders for a signed-in user. Returns a function that closes it. */
export const openOrders = page.open;
/** Fetches the orders. A request that is still open is cancelled. */
export const loadOrders = page.reload;

/** Adds the next page of older orders to the list. If that fails, the list stays as it is, and a notice tells it. */
export async function showMoreOrders(): Promise<void> {
  const shown = $orders.get();
  if (shown.status !== 'loaded' || shown.next === undefined || shown.isLoadingMore) return;
  withdraw(FAILED);
  $orders.set({ ...shown, isLoadingMore: true });
  const result = await fetchOrders({}, shown.next);
  const now = $orders.get();
  // The page was left or loaded again meanwhile.
  if (now.status !== 'loaded' || !now.isLoadingMore) return;
  if (result.ok) {
    const known = new Set(now.orders.map(({ id }) => id));
    const older = result.value.filter(({ id }) => !known.has(id));
    $orders.set(loaded([...now.orders, ...older], result.next));
    return;
  }
  if (endsSession(result.failure)) return;
  $orders.set(loaded(now.orders, now.next));
  notify(FAILED);
}

/** Shows an order of the list as it is now. */
export function replaceOrder(order: Order): void {
  const shown = $orders.get();
  if (shown.status !== 'loaded') return;
  $orders.set({ ...shown, orders: shown.orders.map((old) => (old.id === order.id ? order : old)) });
}
