import { sendCancel } from '#api/orders.ts';
import type { Order } from '#domain/order.ts';
import { isCancellable, STATUSES } from '#domain/order-status.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import type { Notice } from '#stores/shell/toasts.ts';
import { sendOrderForm } from './order-form.ts';

/** The order may have been shipped in the meantime. */
function noticeOf(order: Order): Notice | undefined {
  if (isCancellable(order)) return undefined;
  if (order.status !== STATUSES.cancelled.code)
    return { title: 'Error', text: TOO_LATE_TO_CANCEL, tone: 'error' };
  const title = 'Order cancelled';
  return order.refunds.length > 0 ? { title, text: 'What you paid for it goes back to you.' } : { title };
}

export const cancelOrder = ({ id }: Order, onChange: (order: Order) => void): Promise<void> =>
  sendOrderForm(
    id,
    {
      send: () => sendCancel(id),
      noticeOf,
      noAnswer: 'The shop did not answer. Try again: an order is cancelled only once.',
    },
    onChange,
  );
