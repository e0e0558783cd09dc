import { atom } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import { fetchOrders } from '#api/orders.ts';
import type { Order } from '#domain/order.ts';
import { endsSession, openPrivatePage } from '#stores/account/private-page.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';

export type OrdersPage =
  | { readonly status: 'loading' }
  | { readonly status: 'loaded'; readonly orders: readonly Order[] }
  | { readonly status: 'failed' };

export const LOADING_ORDERS: OrdersPage = { status: 'loading' };

const FAILED = {
  title: 'Error',
  text: 'Failed to load your orders. Please try again.',
  tone: 'error',
} as const;

export const $orders = atom<OrdersPage>(LOADING_ORDERS);

let loading = new AbortController();

function hide(): void {
  loading.abort();
  $orders.set(LOADING_ORDERS);
}

function fail(failure: Failure): void {
  if (endsSession(failure)) return;
  $orders.set({ status: 'failed' });
  notify(FAILED);
}

/** Fetches the orders. A request that is still open is cancelled. */
export async function loadOrders(): Promise<void> {
  hide();
  withdraw(FAILED);
  loading = new AbortController();
  const { signal } = loading;
  const result = await fetchOrders({ signal });
  if (signal.aborted) return;
  if (result.ok) $orders.set({ status: 'loaded', orders: result.value });
  else fail(result.failure);
}

/** Opens My Orders for a signed-in user. Returns a function that closes it. */
export const openOrders = (): (() => void) =>
  openPrivatePage({
    load: () => void loadOrders(),
    hide,
    hasFailed: () => $orders.get().status === 'failed',
  });
