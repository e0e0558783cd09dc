import { atom } from 'nanostores';
import type { Result } from '#api/failure.ts';
import type { Order } from '#domain/order.ts';
import { serverText } from '#stores/account/form.ts';
import { endsSession } from '#stores/account/private-page.ts';
import { type Notice, notify } from '#stores/shell/toasts.ts';
import { fetchOwnOrder } from './own-order.ts';

/** What the open form about an order shows. */
export interface OrderForm {
  readonly isWorking: boolean;
  /** What is missing, or why it did not work; '' for nothing. */
  readonly problem: string;
}

const EMPTY: OrderForm = { isWorking: false, problem: '' };

export const $orderForm = atom<OrderForm>(EMPTY);

export const openOrderForm = (): void => $orderForm.set(EMPTY);

interface OrderFormRequest {
  readonly send: () => Promise<Result<Order>>;
  /** The notice that closes the form, by what the order is now; undefined if it must be sent again. */
  readonly noticeOf: (order: Order, isAccepted: boolean, problem: string | undefined) => Notice | undefined;
  /** What the form says if the shop did not answer. */
  readonly noAnswer: string;
}

/**
 * Sends the form. If the answer is missing or bad, it reads the order again to see whether the server has accepted the
 * form all the same. @param onChange is told what the order is now
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
