import { atom } from 'nanostores';
import type { Result } from '#api/failure.ts';
import { fetchOrders, sendCancel, sendReturn, sendWithdraw } from '#api/orders.ts';
import type { Order } from '#domain/order.ts';
import type { ReturnLine } from '#domain/order-history.ts';
import { canReturn, isWithdrawable } from '#domain/order-returns.ts';
import { isCancellable, STATUSES } from '#domain/order-status.ts';
import { RETURN_PENDING, TOO_LATE_TO_CANCEL, TOO_LATE_TO_WITHDRAW } from '#domain/refusals.ts';
import { serverText } from '#stores/account/failure-text.ts';
import { endsSession } from '#stores/account/private-page.ts';
import { type Notice, notify } from '#stores/shell/toasts.ts';
import { fetchOwnOrder } from './own-order.ts';

/** The form that is open: it cancels an order, requests a return or withdraws one. */
export interface OrderForm {
  readonly isWorking: boolean;
  readonly problem: string;
}

const EMPTY: OrderForm = { isWorking: false, problem: '' };

export const $orderForm = atom<OrderForm>(EMPTY);

export const openOrderForm = (): void => $orderForm.set(EMPTY);

interface OrderFormRequest {
  readonly id: string;
  readonly onChange: (order: Order) => void;
  readonly send: () => Promise<Result<Order>>;
  /** The notice that is shown when the form closes; undefined if the customer must send it again. */
  readonly noticeOf: (order: Order, isAccepted: boolean, problem: string | undefined) => Notice | undefined;
  readonly noAnswer: string;
}

/** Sends the form. If the request fails, it fetches the order again, because the server may have accepted the form. */
async function sendOrderForm({ id, onChange, send, noticeOf, noAnswer }: OrderFormRequest): Promise<void> {
  if ($orderForm.get().isWorking) return;
  $orderForm.set({ isWorking: true, problem: '' });
  const result = await send();
  if (!result.ok && endsSession(result.failure)) return;
  const order = result.ok ? result.value : await fetchOwnOrder(id, fetchOrders);
  const problem = result.ok ? undefined : serverText(result.failure);
  const notice = order && order !== 'unknown' ? noticeOf(order, result.ok, problem) : undefined;
  if (order && order !== 'unknown' && notice) {
    onChange(order);
    notify(notice);
  } else $orderForm.set({ isWorking: false, problem: problem ?? noAnswer });
}

/** The order may have been shipped in the meantime. */
function noticeOfCancel(order: Order): Notice | undefined {
  if (isCancellable(order)) return undefined;
  if (order.status !== STATUSES.cancelled.code)
    return { title: 'Error', text: TOO_LATE_TO_CANCEL, tone: 'error' };
  const title = 'Order cancelled';
  return order.refunds.length > 0 ? { title, text: 'What you paid for it goes back to you.' } : { title };
}

export const cancelOrder = ({ id }: Order, onChange: OrderFormRequest['onChange']): Promise<void> =>
  sendOrderForm({
    id,
    onChange,
    send: () => sendCancel(id),
    noticeOf: noticeOfCancel,
    noAnswer: 'The shop did not answer. Try again: an order is cancelled only once.',
  });

/** The goods may have arrived in the meantime. @param number that of the return */
export const withdrawReturn = (
  { id }: Order,
  number: number,
  onChange: OrderFormRequest['onChange'],
): Promise<void> =>
  sendOrderForm({
    id,
    onChange,
    send: () => sendWithdraw(id, number),
    noticeOf({ returns = [] }) {
      const own = returns.find((each) => each.number === number);
      if (own?.ending === 'withdrawn') return { title: 'Return withdrawn' };
      return own && isWithdrawable(own)
        ? undefined
        : { title: 'Error', text: TOO_LATE_TO_WITHDRAW, tone: 'error' };
    },
    noAnswer: 'The shop did not answer. Try again: a return is withdrawn only once.',
  });

const requestText = (reason: string, lines: readonly ReturnLine[]): string =>
  JSON.stringify([reason.trim().split(/\s+/), lines.map(({ line, quantity }) => [line, quantity])]);

/** Whether the order has this return request. Another tab may have requested a different one. */
const isRequested = ({ returns = [] }: Order, request: string): boolean =>
  returns.some(({ state, reason, lines }) => state === 'asked' && requestText(reason, lines) === request);

export async function requestReturn(
  { id }: Order,
  reason: string,
  lines: readonly ReturnLine[],
  onChange: OrderFormRequest['onChange'],
): Promise<void> {
  if (lines.length === 0 || reason.trim() === '')
    return $orderForm.set({ isWorking: false, problem: 'Choose what to return, and say why.' });
  const request = requestText(reason, lines);
  await sendOrderForm({
    id,
    onChange,
    send: () => sendReturn(id, reason, lines),
    noticeOf(order, isAccepted, problem) {
      if (isAccepted || isRequested(order, request))
        return { title: 'Return asked for', text: 'Send nothing back before we have answered.' };
      return canReturn(order)
        ? undefined
        : { title: 'Error', text: problem ?? RETURN_PENDING, tone: 'error' };
    },
    noAnswer: 'The shop did not answer. Try again: a return is asked for only once.',
  });
}
