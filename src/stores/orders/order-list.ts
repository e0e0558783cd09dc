import { atom, onMount } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { fetchOrders } from '#api/orders.ts';
import type { Order } from '#domain/order.ts';
import { endsSession, privatePage } from '#stores/account/private-page.ts';
import { keepInHistory, keptInHistory } from '#stores/shell/address.ts';
import { onVisible, stopAll } from '#stores/shell/events.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';

export type OrdersPage =
  | { readonly status: 'loading' }
  | {
      readonly status: 'loaded';
      readonly orders: readonly Order[];
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

function withOlder(orders: readonly Order[], older: readonly Order[]): Order[] {
  const known = new Set(orders.map(({ id }) => id));
  return [...orders, ...older.filter(({ id }) => !known.has(id))];
}

const page = privatePage({
  async load(signal) {
    $orders.set(LOADING_ORDERS);
    clearNotice(FAILED);
    let result = await fetchOrders({ signal });
    let orders = result.ok ? result.value : [];
    while (result.ok && result.next && orders.length < Number(keptInHistory().shown)) {
      const older = await fetchOrders({ signal }, result.next);
      if (!older.ok) break;
      orders = withOlder(orders, older.value);
      result = older;
    }
    if (signal.aborted) return;
    if (result.ok) $orders.set(loaded(orders, result.next));
    else fail(result.failure);
  },
  hide: () => $orders.set(LOADING_ORDERS),
  hasFailed: () => $orders.get().status === 'failed',
});

/** Another tab, an app or the staff may have changed an order while this page was hidden. */
async function refreshOrders(): Promise<void> {
  if ($orders.get().status !== 'loaded') return;
  const result = await fetchOrders();
  const shown = $orders.get();
  if (shown.status !== 'loaded' || !result.ok) return;
  $orders.set({ ...shown, orders: withOlder(result.value, shown.orders) });
}

onMount($orders, () =>
  stopAll(
    onVisible(() => void refreshOrders()),
    page.open(),
  ),
);
export const loadOrders = page.reload;

/** Adds the next page of older orders. If that fails, the list stays unchanged and a notice says so. */
export async function showMoreOrders(): Promise<void> {
  const shown = $orders.get();
  if (shown.status !== 'loaded' || shown.next === undefined || shown.isLoadingMore) return;
  clearNotice(FAILED);
  $orders.set({ ...shown, isLoadingMore: true });
  const result = await fetchOrders({}, shown.next);
  const now = $orders.get();
  // The page was left or loaded again in the meantime.
  if (now.status !== 'loaded' || !now.isLoadingMore) return;
  if (result.ok) {
    const orders = withOlder(now.orders, result.value);
    keepInHistory({ shown: orders.length });
    $orders.set(loaded(orders, result.next));
    return;
  }
  if (endsSession(result.failure)) return;
  $orders.set(loaded(now.orders, now.next));
  notify(FAILED);
}

export function replaceOrder(order: Order): void {
  const shown = $orders.get();
  if (shown.status !== 'loaded') return;
  $orders.set({ ...shown, orders: shown.orders.map((old) => (old.id === order.id ? order : old)) });
}
