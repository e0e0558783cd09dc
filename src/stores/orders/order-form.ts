import { atom } from 'nanostores';
import type { Result } from '#api/failure.ts';
import type { Order } from '#domain/order.ts';
import { serverText } from '#stores/account/form.ts';
import { endsSession } from '#stores/account/private-page.ts';
import { type Notice, notify } from '#stores/shell/toasts.ts';
import { fetchOwnOrder } from './own-order.ts';

/** The form that is open: it cancels an order or requests a return. */
export interface OrderForm {
  readonly isWorking: boolean;
  readonly problem: string;
}

const EMPTY: OrderForm = { isWorking: false, problem: '' };

export const $orderForm = atom<OrderForm>(EMPTY);

export const openOrderForm = (): void => $orderForm.set(EMPTY);

interface OrderFormRequest {
  readonly send: () => Promise<Result<Order>>;
  /** The notice with which the form closes; undefined if the customer must send it again. */
  readonly noticeOf: (order: Order, isAccepted: boolean, problem: string | undefined) => Notice | undefined;
  readonly noAnswer: string;
}

/**
 * Sends the form. If the request fails, it fetches the order again, because the server may have accepted the form.
 * @param onChange receives the current order
 */
export async function sendOrderForm(
  id: string,
  { send, noticeOf, noAnswer }: OrderFormRequest,
  onChange: (order: Order) => void,
): Promise<void> {
  if ($orderForm.get().isWorking) return;
  $orderForm.set({ isWorking: true, problem: '' });
  const result = await send();
  if (!result.ok && endsSession(result.failure)) return;
  const order = result.ok ? result.value : await fetchOwnOrder(id);
  const problem = result.ok ? undefined : serverText(result.failure);
  const notice = order && order !== 'unknown' ? noticeOf(order, result.ok, problem) : undefined;
  if (order && order !== 'unknown' && notice) {
    onChange(order);
    notify(notice);
  } else $orderForm.set({ isWorking: false, problem: problem ?? noAnswer });
}
