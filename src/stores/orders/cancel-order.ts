import { atom } from 'nanostores';
import { sendCancel } from '#api/orders.ts';
import type { Order } from '#domain/order.ts';
import { isCancellable, STATUSES } from '#domain/order-status.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import { serverText } from '#stores/account/form.ts';
import { endsSession } from '#stores/account/private-page.ts';
import { notify } from '#stores/shell/toasts.ts';
import { readOwnOrder } from './own-order.ts';

export interface Cancelling {
  readonly isWorking: boolean;
  /** Why it did not work; '' before. */
  readonly problem: string;
}

const ASKING: Cancelling = { isWorking: false, problem: '' };

const NO_ANSWER = 'The shop did not answer. Try again: an order is cancelled only once.';

/** What the open dialog shows. */
export const $cancelling = atom<Cancelling>(ASKING);

export const askToCancel = (): void => $cancelling.set(ASKING);

const noticeOf = ({ status, refunds }: Order) =>
  status === STATUSES.cancelled.wire
    ? {
        title: 'Order cancelled',
        ...(refunds.length > 0 ? { text: 'What you paid for it goes back to you.' } : {}),
      }
    : ({ title: 'Error', text: TOO_LATE_TO_CANCEL, tone: 'error' } as const);

/**
 * Cancels the order. If the answer is missing or bad, it reads the order again to see whether the server has cancelled
 * it all the same, or the staff has shipped it. @param onChange is told what the order is now
 */
export async function cancelOrder({ id }: Order, onChange: (order: Order) => void): Promise<void> {
  if ($cancelling.get().isWorking) return;
  $cancelling.set({ isWorking: true, problem: '' });
  const result = await sendCancel(id);
  if (!result.ok && endsSession(result.failure)) return;
  const order = result.ok ? result.value : await readOwnOrder(id);
  if (order && order !== 'unknown' && !isCancellable(order)) {
    onChange(order);
    notify(noticeOf(order));
    return;
  }
  const problem = result.ok ? undefined : serverText(result.failure);
  $cancelling.set({ isWorking: false, problem: problem ?? NO_ANSWER });
}
